//! Tests of the games behind their type-erased interface: descriptions, editor, lessons, openings, puzzles, wins.

mod about;
mod attempt;
mod editor;
mod explore;
mod highlight;
mod lessons;
mod movetext;
mod names;
mod openings;
mod play;
mod prove;
mod puzzles;
mod reasons;
mod scene;
mod session;
mod settle;
mod think;
mod wins;
