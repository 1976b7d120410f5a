//! `plyhouse script`.
