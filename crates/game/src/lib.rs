//! What every game is: positions, records, perft, the conformance suite.
