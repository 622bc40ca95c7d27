import Testing

/// The built program as a user has it, at a desk of the tests' own.
///
/// One test at a time: they share a screen and a loudspeaker, and count in samples.
@Suite(.serialized) struct EndToEnd {}
