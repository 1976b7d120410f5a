//! The test-script harness for text programs.
