//! Measuring tools: perft, suites, benches.
