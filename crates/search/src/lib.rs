//! Searches over any game: alpha-beta, forced wins, plain minimax.
