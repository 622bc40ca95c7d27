// The room Library.
