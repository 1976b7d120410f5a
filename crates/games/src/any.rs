//! Type-erased games and records. Each trait has one generic implementation, for every [`Game`].

use core::any::Any;
use core::marker::PhantomData;

use engine::{Breakdown, Build, PlayerOptions, Resources};
use game::{Diagram, Key, Message, Outcome, Record, Stuck, TextGame};
use proof::Team;
use proof::win::{Checked, WinError, WinFile};
use search::Stop;

use crate::about::{self, About, Console};
use crate::attempt;
use crate::definition::{Game, SizeError};
use crate::editor::{self, Edit};
use crate::explore::{self, Branches, Visit};
use crate::files::{self, GameFile, LeftOut};
use crate::lessons::{self, Taught};
use crate::movetext;
use crate::opening_games::{self, OpeningGame};
use crate::openings;
use crate::play::{self, Setting, SettingError};
use crate::player::{self, AnyEngine};
use crate::prove::{self, Attempt, Budget};
use crate::puzzles::{self, Puzzle};
use crate::reasons;
use crate::registry::GameId;
use crate::rule_set::Choices;
use crate::scene::{self, Place, Scene};
use crate::settle::{self, Settled};
use crate::text::{self, NoPosition};
use crate::think::{self, Asked, Thought};
use crate::tree::Node;
use crate::win::{self, NoQuestion, Stage, WinAnswer, WinQuestion};
use crate::within::{self, WithinAnswer, WithinProgress, WithinQuestion};

/// A type-erased game: its properties, and constructors of records.
pub trait AnyGame: Sync {
    /// Returns the name that commands and files use: `loa`.
    fn name(&self) -> &'static str;

    /// Returns the name that users read, with the capitalisation of running text: `Lines of Action`, `checkers`.
    fn title(&self) -> &'static str;

    /// Returns the names of the first and the second side.
    fn side_names(&self) -> [&'static str; 2];

    /// Returns `size`, or the game's usual size if it is unset, in squares per side.
    ///
    /// # Errors
    /// If the game is not played on this size.
    fn board_size(&self, size: Option<usize>) -> Result<usize, SizeError>;

    /// Returns the rule about the end of the game, for example "a side has won when all its pieces are connected".
    fn end_in_words(&self) -> String;

    /// Returns the game's rule sets and start positions.
    fn choices(&self) -> Choices;

    /// Returns the description of the game for a page.
    fn about(&self) -> About;

    /// Returns the builds of the game's engine.
    fn builds(&self) -> Vec<Build>;

    /// Adds the learned evaluation in a file to `resources`; `None` if the file has no evaluation for this game. The
    /// memory of the evaluation is never freed.
    fn with_learned(&self, resources: Resources, file: &[u8]) -> Option<Resources>;

    /// Returns the commands of the game's own text program that a page may use; `None` if that program cannot show a
    /// page.
    fn console(&self) -> Option<Console>;

    /// Returns the lessons about the game in a language with a code such as `en`, by default in English.
    fn lessons(&self, language: &str) -> Vec<Taught>;

    /// Returns the game's puzzles, the easiest first.
    fn puzzles(&self) -> Vec<Puzzle>;

    /// Returns the beginnings of games between our engines, from the usual start; an empty list if the game has none.
    fn opening_games(&self) -> Vec<OpeningGame>;

    /// Begins a game at the start position, without a move limit and without the draw rules of a match.
    ///
    /// # Errors
    /// If the game is not played on this size.
    fn start(&self, size: Option<usize>) -> Result<Box<dyn AnyRecord>, SizeError>;

    /// Begins a game like [`start`](Self::start), at the position that `text` describes if it is set.
    ///
    /// # Errors
    /// If the text is not a position of the game, or the position's size differs from the requested size.
    fn position(&self, text: Option<&str>, size: Option<usize>) -> Result<Box<dyn AnyRecord>, NoPosition>;

    /// Begins a game under a setting and plays moves. See [`Setting::record`].
    ///
    /// # Errors
    /// If the start is invalid or a move is not legal.
    fn record(&self, setting: Setting, start: Option<&str>, moves: &[&str])
    -> Result<Box<dyn AnyRecord>, SettingError>;

    /// Begins a game with random moves. See [`Setting::random`].
    ///
    /// # Errors
    /// If the game is not played on this size.
    fn random(&self, setting: Setting, opening_plies: u32, seed: u64) -> Result<Box<dyn AnyRecord>, SettingError>;

    /// Reads the games of a file in the game's own format: at least one entry, with an error in place of each invalid
    /// game. `None` if the text does not begin like such a file.
    fn read_files(&self, text: &str) -> Option<Vec<Result<GameFile, Message>>>;

    /// Checks a strategy file against the game's reference implementation. See [`check_win`](crate::win::check_win).
    ///
    /// # Errors
    /// If the file makes a false claim.
    fn check_win(
        &self,
        file: &WinFile<'_>,
        team: Team<'_>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(Checked, &'static str), WinError>;
}

/// A type-erased game in progress. It stores all its positions, so that a move is played without replaying the game.
pub trait AnyRecord: TextGame {
    /// Returns the game.
    fn game(&self) -> GameId;

    /// Returns the record of the game's own type, for a downcast.
    fn as_any(&self) -> &dyn Any;

    /// Returns a copy of the record.
    fn cloned(&self) -> Box<dyn AnyRecord>;

    /// Returns the board size, in squares per side.
    fn size(&self) -> usize;

    /// Returns the Zobrist key of the current position.
    fn key(&self) -> Key;

    /// Returns `true` if the side to move has no move by the movement rules.
    fn is_stuck(&self) -> bool;

    /// Returns the outcome of the current position by the rules of the game alone.
    fn outcome(&self) -> Option<Outcome>;

    /// Reads a move in any usual spelling and plays it.
    ///
    /// # Errors
    /// If the game is over or the move is not legal. The game then stays unchanged.
    fn try_play(&mut self, text: &str) -> Result<(), SettingError>;

    /// Undoes the last move and returns it; `None` at the start.
    fn undo(&mut self) -> Option<String>;

    /// Changes the move limit, in moves of both sides. A game that ended by the old limit continues.
    ///
    /// # Errors
    /// If that many moves have already been made.
    fn set_move_limit(&mut self, limit: u32) -> Result<(), SettingError>;

    /// Returns the game as a page shows it.
    fn scene(&self) -> Scene;

    /// Returns the current board, with the last move marked.
    fn diagram(&self) -> Diagram;

    /// Returns the boards since the start, each with its last move marked.
    fn diagrams(&self) -> Vec<Diagram>;

    /// Returns the number of move sequences of exactly this many plies.
    fn perft(&self, depth: u32) -> u64;

    /// Returns the [`perft`](Self::perft) count below each legal move.
    fn perft_divide(&self, depth: u32) -> Vec<(String, u64)>;

    /// Returns the evaluation of the current position, term by term.
    fn breakdown(&self, resources: &Resources) -> Breakdown;

    /// Builds a player for boards of this size.
    ///
    /// # Errors
    /// If the game has no such player.
    fn engine(&self, options: &PlayerOptions, resources: &Resources) -> Result<Box<dyn AnyEngine>, SettingError>;

    /// Begins a game at the current position, without draw rules, and plays random moves. See [`engine::opening`].
    fn opening(&self, plies: u32, move_limit: u32, seed: u64) -> Box<dyn AnyRecord>;

    /// Edits the current position. The result is a game that begins at the new position.
    ///
    /// # Errors
    /// If the change is not possible.
    fn edit(&self, edit: Edit) -> Result<Scene, SettingError>;

    /// Returns the moves since the start, keyed for an opening explorer.
    fn visits(&self) -> Vec<Visit>;

    /// Returns the current position and its moves, keyed for an opening explorer.
    fn branches(&self) -> Branches;

    /// Searches the current position; `None` if the game is over. Calls `report` after every finished iteration.
    ///
    /// # Errors
    /// If the game has no such player.
    fn think(
        &self,
        asked: &Asked<'_>,
        stop: Stop,
        report: &mut dyn FnMut(Thought),
    ) -> Result<Option<Thought>, SettingError>;

    /// Explains why a move in the current position is an error or a good move; `None` if there is no simple reason.
    /// `best` is the evaluation before the move. `answer` is the one after it; `None` if the move ends the game.
    fn reason(&self, mv: &str, best: &Thought, answer: Option<&Thought>) -> Option<Message>;

    /// Tries to prove that one side wins, without a move limit. Passes the number of visited positions to `report`.
    fn prove(&self, resources: &Resources, budget: Budget, stop: Stop, report: &mut dyn FnMut(u64)) -> Attempt;

    /// Returns the result of the game if it is certain; see [`Settled`]. Proofs visit at most `nodes` positions.
    fn settle(&self, resources: &Resources, nodes: u64) -> Option<Settled>;

    /// Answers a question about the current position; see [`WinQuestion::answer`].
    ///
    /// # Errors
    /// If the question is invalid.
    fn win(
        &self,
        question: &WinQuestion<'_>,
        budget: Budget,
        stop: &Stop,
        report: &mut dyn FnMut(Stage),
    ) -> Result<WinAnswer, NoQuestion>;

    /// Answers a question about the current position; see [`WithinQuestion::answer`].
    ///
    /// # Errors
    /// If the question is invalid.
    fn within(
        &self,
        question: &WithinQuestion<'_>,
        budget: Budget,
        stop: &Stop,
        report: &mut dyn FnMut(WithinProgress),
    ) -> Result<WithinAnswer, NoQuestion>;

    /// Reads a list of moves with variations. The first move is played at the start of this game.
    ///
    /// # Errors
    /// If the text is not a list of moves or a move is not legal. The error contains the line and the column.
    fn read_moves(&self, text: &str) -> Result<Vec<Node>, SettingError>;

    /// Reads moves like [`read_moves`](Self::read_moves), and skips illegal moves and the moves after them.
    ///
    /// # Errors
    /// If the text is not a list of moves, or contains no legal move.
    fn read_legal_moves(&self, text: &str) -> Result<(Vec<Node>, Option<LeftOut>), SettingError>;

    /// Checks a move of the current position, given by its squares as in [`Way::path`](crate::scene::Way::path). In
    /// games whose moves have two squares, a path of one square stands for any move of the piece on that square.
    ///
    /// # Errors
    /// If there is no such move. The error names the broken rule.
    fn try_path(&self, path: &[Place]) -> Result<(), Message>;

    /// Writes a list of moves with variations. The first move is played at the start of this game.
    ///
    /// # Errors
    /// If a move is not legal.
    fn write_moves(&self, nodes: &[Node]) -> Result<String, SettingError>;

    /// Writes the start of this game and the moves of `nodes` in the game's own file format. If there is no such
    /// format, a line with the game's name and the start precedes the text of [`write_moves`](Self::write_moves).
    ///
    /// # Errors
    /// If a move is not legal.
    fn write_file(&self, nodes: &[Node]) -> Result<String, SettingError>;

    /// Writes the game as a line of a file of openings.
    ///
    /// # Errors
    /// If the board has another size than the setting, or the game is over.
    fn write_opening(&mut self, size: Option<usize>) -> Result<String, SettingError>;
}

/// A type-erased game.
struct Erased<P>(PhantomData<fn() -> P>);

impl<P: Game> Erased<P> {
    const GAME: &'static Self = &Self(PhantomData);
}

/// Returns a type-erased game.
pub(crate) const fn erased<P: Game>() -> &'static dyn AnyGame {
    Erased::<P>::GAME
}

impl<P: Game> AnyGame for Erased<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn title(&self) -> &'static str {
        P::TITLE
    }

    fn side_names(&self) -> [&'static str; 2] {
        P::SIDE_NAMES
    }

    fn board_size(&self, size: Option<usize>) -> Result<usize, SizeError> {
        Ok(P::size(&P::start(size)?))
    }

    fn end_in_words(&self) -> String {
        let won = match P::won_because(&P::start_on(P::USUAL_SIZE)) {
            "" => None,
            reason => Some(format!("a side has won when {reason}")),
        };
        let stuck = match P::STUCK {
            Stuck::Loses => Some("a side that has no move on its turn has lost".to_owned()),
            Stuck::Draws => Some("the game is drawn when the side to move has no move".to_owned()),
            Stuck::Impossible => None,
        };
        won.into_iter().chain(stuck).collect::<Vec<_>>().join("; ")
    }

    fn choices(&self) -> Choices {
        Choices { rule_sets: P::RULE_SETS, starts: P::STARTS }
    }

    fn about(&self) -> About {
        about::about::<P>()
    }

    fn builds(&self) -> Vec<Build> {
        about::builds::<P>()
    }

    fn with_learned(&self, resources: Resources, file: &[u8]) -> Option<Resources> {
        P::with_learned(resources, file)
    }

    fn console(&self) -> Option<Console> {
        P::CONSOLE
    }

    fn lessons(&self, language: &str) -> Vec<Taught> {
        lessons::lessons::<P>(language)
    }

    fn puzzles(&self) -> Vec<Puzzle> {
        puzzles::read_puzzles(P::PUZZLES).expect("invariant: a test reads the puzzles of every game")
    }

    fn opening_games(&self) -> Vec<OpeningGame> {
        opening_games::read(P::OPENING_GAMES)
    }

    fn start(&self, size: Option<usize>) -> Result<Box<dyn AnyRecord>, SizeError> {
        Ok(Box::new(Record::new(P::start(size)?)))
    }

    fn position(&self, text: Option<&str>, size: Option<usize>) -> Result<Box<dyn AnyRecord>, NoPosition> {
        Ok(Box::new(Record::new(text::position::<P>(text, size)?)))
    }

    fn record(
        &self,
        setting: Setting,
        start: Option<&str>,
        moves: &[&str],
    ) -> Result<Box<dyn AnyRecord>, SettingError> {
        Ok(Box::new(play::record::<P>(setting, start, moves)?))
    }

    fn random(&self, setting: Setting, opening_plies: u32, seed: u64) -> Result<Box<dyn AnyRecord>, SettingError> {
        Ok(Box::new(play::random::<P>(setting, opening_plies, seed)?))
    }

    fn read_files(&self, text: &str) -> Option<Vec<Result<GameFile, Message>>> {
        P::read_files(text)
    }

    fn check_win(
        &self,
        file: &WinFile<'_>,
        team: Team<'_>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(Checked, &'static str), WinError> {
        let checked = file.check::<P::Model>(P::SYMMETRIES, team, progress)?;
        Ok((checked, P::side_name(file.header.winner)))
    }
}

impl<P: Game> AnyRecord for Record<P> {
    fn game(&self) -> GameId {
        GameId::of::<P>()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn cloned(&self) -> Box<dyn AnyRecord> {
        Box::new(self.clone())
    }

    fn size(&self) -> usize {
        P::size(self.position())
    }

    fn key(&self) -> Key {
        self.position().key()
    }

    fn is_stuck(&self) -> bool {
        self.position().is_stuck()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position().outcome()
    }

    fn try_play(&mut self, text: &str) -> Result<(), SettingError> {
        play::play(self, text)
    }

    fn undo(&mut self) -> Option<String> {
        Self::undo(self)?.made().map(|m| m.to_string())
    }

    fn set_move_limit(&mut self, limit: u32) -> Result<(), SettingError> {
        Self::set_move_limit(self, Some(limit))?;
        // The start is not judged: play may begin at any position that was set up, even at a decided one.
        if self.moves_made() > 0 {
            self.judge();
        }
        Ok(())
    }

    fn scene(&self) -> Scene {
        scene::scene(self)
    }

    fn diagram(&self) -> Diagram {
        Self::diagram(self)
    }

    fn diagrams(&self) -> Vec<Diagram> {
        self.steps().iter().map(|step| step.position.diagram(step.origin.made())).collect()
    }

    fn perft(&self, depth: u32) -> u64 {
        game::perft(self.position(), depth)
    }

    fn perft_divide(&self, depth: u32) -> Vec<(String, u64)> {
        let counts = game::perft_divide(self.position(), depth);
        counts.into_iter().map(|(m, count)| (m.to_string(), count)).collect()
    }

    fn breakdown(&self, resources: &Resources) -> Breakdown {
        self.position().breakdown(&P::policy(resources))
    }

    fn engine(&self, options: &PlayerOptions, resources: &Resources) -> Result<Box<dyn AnyEngine>, SettingError> {
        Ok(Box::new(player::built(self, options, resources)?))
    }

    fn opening(&self, plies: u32, move_limit: u32, seed: u64) -> Box<dyn AnyRecord> {
        Box::new(engine::opening(self.position(), plies, move_limit, seed))
    }

    fn edit(&self, edit: Edit) -> Result<Scene, SettingError> {
        editor::edit(self, edit)
    }

    fn visits(&self) -> Vec<Visit> {
        explore::visits(self)
    }

    fn branches(&self) -> Branches {
        explore::branches(self.position())
    }

    fn think(
        &self,
        asked: &Asked<'_>,
        stop: Stop,
        report: &mut dyn FnMut(Thought),
    ) -> Result<Option<Thought>, SettingError> {
        think::think(self, asked, stop, report)
    }

    fn reason(&self, mv: &str, best: &Thought, answer: Option<&Thought>) -> Option<Message> {
        reasons::reason(self, mv, best, answer)
    }

    fn prove(&self, resources: &Resources, budget: Budget, stop: Stop, report: &mut dyn FnMut(u64)) -> Attempt {
        prove::prove(self, resources, budget, &stop, report)
    }

    fn settle(&self, resources: &Resources, nodes: u64) -> Option<Settled> {
        settle::settle(self, resources, nodes)
    }

    fn win(
        &self,
        question: &WinQuestion<'_>,
        budget: Budget,
        stop: &Stop,
        report: &mut dyn FnMut(Stage),
    ) -> Result<WinAnswer, NoQuestion> {
        win::answer(self.position(), question, budget, stop, report)
    }

    fn within(
        &self,
        question: &WithinQuestion<'_>,
        budget: Budget,
        stop: &Stop,
        report: &mut dyn FnMut(WithinProgress),
    ) -> Result<WithinAnswer, NoQuestion> {
        within::answer(self.position(), question, budget, stop, report)
    }

    fn read_moves(&self, text: &str) -> Result<Vec<Node>, SettingError> {
        movetext::read(self, text)
    }

    fn read_legal_moves(&self, text: &str) -> Result<(Vec<Node>, Option<LeftOut>), SettingError> {
        movetext::read_legal(self, text)
    }

    fn try_path(&self, path: &[Place]) -> Result<(), Message> {
        attempt::check(self.position(), path)
    }

    fn write_moves(&self, nodes: &[Node]) -> Result<String, SettingError> {
        movetext::write_checked(self, nodes)
    }

    fn write_file(&self, nodes: &[Node]) -> Result<String, SettingError> {
        files::write(self, nodes)
    }

    fn write_opening(&mut self, size: Option<usize>) -> Result<String, SettingError> {
        openings::write(self, size)
    }
}
