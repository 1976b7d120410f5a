//! Tests of the examples, each of which checks its own output. The tests of `new_game` are in `crates/cli/tests`.

#![allow(dead_code, reason = "programs that wait for input are not run here; their parts are tested")]

#[path = "../examples/best_move.rs"]
mod best_move;
#[path = "../examples/end.rs"]
mod end;
#[path = "../examples/moves.rs"]
mod moves;
#[path = "../examples/own_engine.rs"]
mod own_engine;
#[path = "../examples/play.rs"]
mod play;
#[path = "../examples/ugi.rs"]
mod ugi;
