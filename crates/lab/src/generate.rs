//! `tune generate`: plays games of an engine against itself and writes their positions, which are used to fit
//! evaluations.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write, stderr};
use std::path::{Path, PathBuf};

use clap::Parser;
use engine::learned::game_and_size;
use engine::{Build, PlayerOptions, Resources};
use games::GameId;
use ledger::Address;
use measure::jobs::{self, Hands, Kind, no_worker};
use measure::progress::Bar;
use measure::samples::Recipe;

/// The options of `tune generate`.
#[derive(Parser)]
#[command(name = "generate")]
pub struct Generate {
    /// The game
    #[arg(value_parser = crate::game())]
    game: GameId,
    /// The engine, such as `nodes=5000`
    #[arg(long, default_value = "nodes=3000,horizon=0/0", value_parser = crate::words)]
    player: String,
    /// Squares per side
    #[arg(long)]
    size: Option<usize>,
    /// Number of games
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Random moves of each opening
    #[arg(long, default_value_t = 8)]
    opening: u32,
    /// Number of moves after which a game is drawn, counting both sides
    #[arg(long, default_value_t = 200)]
    move_limit: u32,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of concurrent games; this does not change the file
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// File written by `tune learn`; its evaluation is used instead of the built-in one
    #[arg(long, value_name = "FILE")]
    evaluation: Option<PathBuf>,
    /// Distribute the games to the workers of this PostgreSQL database: `postgres://USER@HOST/DATABASE` (see
    /// `plyhouse work`)
    #[arg(long, value_name = "URL", conflicts_with_all = ["jobs", "evaluation"])]
    store: Option<Address>,
    /// The file of positions
    #[arg(long)]
    out: PathBuf,
}

impl Generate {
    /// Plays the games and writes the file. The file depends on neither the workers nor the number of concurrent games.
    ///
    /// # Errors
    /// Returns an error if the player or the board does not exist, the file cannot be written, or the workers cannot be
    /// reached.
    pub fn run(&self) -> Result<(), Box<dyn std::error::Error>> {
        let recipe = Recipe {
            game: self.game.to_string(),
            size: self.size,
            player: self.player.clone(),
            opening: self.opening,
            move_limit: self.move_limit,
            seed: self.seed,
        };
        let resources = self
            .evaluation
            .as_deref()
            .map(|path| learned(self.game, self.size, path, &self.player))
            .transpose()?
            .unwrap_or_default();
        // Report an invalid player before creating the file.
        drop(recipe.hand(&resources)?);
        let mut out = BufWriter::new(File::create(&self.out)?);
        let (bar, mut games, mut positions) = (Bar::new(false, 0), 0, 0);
        let hands = Hands::new(self.store.as_ref(), note_alone, self.jobs, &resources);
        jobs::run(
            &recipe,
            0..self.games,
            |_| String::new(),
            &hands,
            |lines| -> Result<bool, Box<dyn std::error::Error>> {
                out.write_all(lines.as_bytes())?;
                games += 1;
                positions += lines.lines().count();
                bar.show(games, self.games, &format!("{games}/{} games, {positions} positions", self.games));
                Ok(true)
            },
        )?;
        out.flush()?;
        bar.clear();
        writeln!(stderr(), "{games} games, {positions} positions")?;
        Ok(())
    }
}

/// Loads a learned evaluation from a file, for a player with these options on boards of this size (the game's usual
/// size if unset). The evaluation is never freed.
///
/// # Errors
/// Returns an error if the player has its own evaluation, or the file is not a learned evaluation of the game on this
/// board.
pub(crate) fn learned(
    game: GameId,
    size: Option<usize>,
    path: &Path,
    player: &str,
) -> Result<Resources, Box<dyn std::error::Error>> {
    let build = player.parse::<PlayerOptions>()?.build;
    if build != Build::Current {
        return Err(format!("build={build} has an evaluation of its own; expected build=current").into());
    }
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let not_ours = || format!("{}: not a learned evaluation of {game}", path.display());
    let resources = game.with_learned(Resources::default(), &bytes).ok_or_else(not_ours)?;
    let board = size.unwrap_or_else(|| game.about().usual_size);
    match game_and_size(&bytes) {
        Some((_, trained)) if trained != board => Err(format!(
            "{}: an evaluation for {trained}×{trained}; expected one for {board}×{board} (`--size` selects the board)",
            path.display()
        )
        .into()),
        _ => Ok(resources),
    }
}

fn note_alone(address: &Address) {
    let _: io::Result<()> = writeln!(stderr(), "{}", no_worker(address));
}
