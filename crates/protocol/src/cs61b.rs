//! What the programs print, as the script harness reads it.
