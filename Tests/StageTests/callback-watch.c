// The callback check comes with the speaker tests.
