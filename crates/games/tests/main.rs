//! What every game offers by its name: about, editor, lessons, move texts, openings, puzzles, wins.

mod about;
mod editor;
mod explore;
mod lessons;
mod movetext;
mod names;
mod openings;
mod play;
mod prove;
mod puzzles;
mod scene;
mod session;
mod settle;
mod think;
mod wins;
