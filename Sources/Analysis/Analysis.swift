// The room Analysis.
