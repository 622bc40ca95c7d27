// The room Stage.
