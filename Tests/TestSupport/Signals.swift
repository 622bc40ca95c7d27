// Known signals.
