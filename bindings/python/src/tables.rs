//! Many games of one kind, played in parallel.

use core::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;

use game::SplitMix64;
use pyo3::{FromPyObject, IntoPyObject};

use crate::encode::symmetry::Symmetry;
use crate::encode::{ActionSpace, Encoded};
use crate::error::Wrong;
use crate::notation;
use crate::parts::{Part, in_parts};
use crate::policy::Policy;
use crate::position;
use crate::roots::{Encoding, Root, Roots};
use crate::table::{Outputs, Settings, Setup, Table};

/// Logits for all actions of all games.
pub(crate) struct Logits<'a> {
    /// One row for each game.
    pub(crate) values: &'a [f32],
    /// Number of action ids, the length of a row.
    pub(crate) width: usize,
}

impl Logits<'_> {
    fn of(&self, game: usize) -> &[f32] {
        &self.values[game * self.width..(game + 1) * self.width]
    }
}

/// The legal actions of all games.
pub(crate) struct Legal {
    /// Index of each game's first id, and at the end the number of ids.
    pub(crate) offsets: Vec<i64>,
    /// The ids of all games, one game after the other.
    pub(crate) ids: Vec<i32>,
}

/// Index permutations: the new value at an index is the old value at the index found there.
pub(crate) struct Permutations {
    /// For each symmetry, a permutation of the squares of a plane.
    pub(crate) squares: Vec<Vec<i64>>,
    /// For each symmetry, a permutation of the action ids.
    pub(crate) actions: Vec<Vec<i64>>,
}

/// The state of all games, for saving. Each field has an entry for each game.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Saved {
    starts: Vec<String>,
    positions: Vec<String>,
    bases: Vec<String>,
    trails: Vec<Vec<u16>>,
    episodes: Vec<u32>,
    recent: Vec<Vec<String>>,
    past: Vec<Vec<u64>>,
    plies: Vec<u32>,
    finished: Vec<bool>,
    random: Vec<u64>,
}

/// The games of a batch, of any kind.
pub(crate) trait AnyTables: Send + Sync {
    /// Returns an error if an action is illegal in a marked game.
    fn check(&mut self, actions: &[i32], marked: Option<&[bool]>) -> Result<(), Wrong>;

    /// Plays the actions in the marked games. They must have passed [`check`](Self::check).
    fn step(&mut self, actions: &[i32], marked: Option<&[bool]>, outputs: Outputs<'_>);

    /// Chooses a random legal action for each game, or -1 for a finished game.
    fn sample(&mut self, actions: &mut [i32]);

    /// Draws a legal action for each game from a policy at a temperature; see [`Policy`].
    fn draw(&mut self, logits: &Logits<'_>, temperature: f32, actions: &mut [i32]) -> Result<(), Wrong>;

    /// Returns the legal actions.
    fn legal(&mut self) -> Legal;

    /// Returns the logarithms of the probabilities of the legal actions, in the order of [`legal`](Self::legal).
    fn log_softmax(&mut self, logits: &Logits<'_>) -> Result<Vec<f32>, Wrong>;

    /// Clears the results of the last step.
    fn clear(&mut self, outputs: Outputs<'_>);

    /// Plays this many random moves in each game. Writes results only. Returns the number of finished games.
    fn rollout(&mut self, steps: u64, outputs: Outputs<'_>) -> u64;

    /// Writes the current state of all games.
    fn show(&mut self, outputs: Outputs<'_>);

    /// Restarts the marked games. A seed restarts their random numbers.
    fn reset(&mut self, marked: Option<&[bool]>, seed: Option<u64>, outputs: Outputs<'_>);

    /// Sets up positions, each with the number of its game.
    fn place(&mut self, positions: &[(usize, String)], outputs: Outputs<'_>) -> Result<(), Wrong>;

    /// Returns copies of the games with these numbers, with their own random numbers.
    fn copies(&mut self, games: &[usize]) -> Box<dyn AnyTables>;

    /// Returns the state of all games.
    fn save(&self) -> Saved;

    /// Restores a saved state of the same number of games.
    fn load(&mut self, saved: Saved) -> Result<(), Wrong>;

    /// Returns the marked games that are not over, as [`Roots`] of the game's position type.
    fn roots(&self, marked: Option<&[bool]>) -> Box<dyn Any + Send>;

    /// Returns the position text of a game.
    fn position(&self, game: usize) -> String;

    /// Returns the notation of a legal action of a game.
    fn move_of(&mut self, game: usize, action: i32) -> Result<String, Wrong>;

    /// Returns the action id of a legal move of a game.
    fn action_of(&self, game: usize, text: &str) -> Result<i32, Wrong>;

    /// Returns the symmetries of the game as permutations.
    fn symmetries(&self) -> Permutations;
}

/// The games of a batch, with the types of their kind and of their action space.
pub(crate) struct Tables<P: Encoded, A> {
    setup: Arc<Setup<P, A>>,
    games: Vec<Table<P>>,
}

impl<P: Encoded, A: ActionSpace<P>> Tables<P, A> {
    /// Creates a game from each start.
    ///
    /// # Errors
    /// If a game is over at its start, or if the start has other rules than the batch.
    pub(crate) fn new(starts: Vec<P>, settings: Settings, seed: u64) -> Result<Self, Wrong> {
        let setup = Arc::new(Setup::new(settings));
        let game = |(number, start)| {
            let start = setup.playable(start).map_err(|wrong| within("start", wrong))?;
            Ok(Table::new(start, stream(seed, number)))
        };
        let games = starts.into_iter().enumerate().map(game).collect::<Result<_, Wrong>>()?;
        Ok(Self { setup, games })
    }

    /// Parses a position on a board of the batch's size.
    fn parse(&self, text: &str) -> Result<P, Wrong> {
        position::start(Some(self.setup.settings.planes.size), Some(text))
    }

    fn illegal(&self, game: usize, action: i32) -> Wrong {
        Wrong::Value(format!("game {game}: action {action} is not legal in {}", self.games[game].position))
    }
}

/// Returns the seed of a game's random numbers.
fn stream(seed: u64, game: usize) -> u64 {
    SplitMix64::new(seed).skipping(game as u64).next_u64()
}

/// Returns the moves with these codes, which are played from `base`.
fn moves<P: Encoded>(base: &P, codes: &[u16]) -> Result<Vec<P::Move>, Wrong> {
    let mut p = base.clone();
    let unpack = |&code| {
        let m = p.unpack(code).ok_or_else(|| Wrong::Value(format!("saved state: code {code}: no move in {p}")))?;
        p.play(m);
        Ok(m)
    };
    codes.iter().map(unpack).collect()
}

/// Adds the place to an error.
fn within(place: &str, wrong: Wrong) -> Wrong {
    Wrong::Value(format!("{place} {wrong}"))
}

/// Returns `true` if a game is marked. Without marks, all games are.
fn is_marked(marked: Option<&[bool]>, game: usize) -> bool {
    marked.is_none_or(|marked| marked[game])
}

impl<P: Encoded, A: ActionSpace<P>> AnyTables for Tables<P, A> {
    fn check(&mut self, actions: &[i32], marked: Option<&[bool]>) -> Result<(), Wrong> {
        if actions.len() != self.games.len() {
            let (found, expected) = (actions.len(), self.games.len());
            return Err(Wrong::Value(format!("{found} actions: expected {expected}, one for each game")));
        }
        let setup = &*self.setup;
        let illegal = in_parts(setup.settings.threads, &mut self.games, (), |Part { first, games, .. }| {
            for (number, table) in (first..).zip(games) {
                if is_marked(marked, number) && !table.is_over && setup.find(table, actions[number]).is_none() {
                    return Some(number);
                }
            }
            None
        });
        match illegal.into_iter().flatten().next() {
            Some(game) => Err(self.illegal(game, actions[game])),
            None => Ok(()),
        }
    }

    fn step(&mut self, actions: &[i32], marked: Option<&[bool]>, outputs: Outputs<'_>) {
        let setup = &*self.setup;
        in_parts(setup.settings.threads, &mut self.games, outputs, |Part { first, games, data: mut outputs }| {
            for (number, table) in games.iter_mut().enumerate() {
                setup.clear(table, &mut outputs, number);
                if is_marked(marked, first + number)
                    && !table.is_over
                    && let Some(m) = setup.find(table, actions[first + number])
                {
                    setup.advance(table, m, &mut outputs, number);
                    setup.show(table, &mut outputs, number);
                }
            }
        });
    }

    fn sample(&mut self, actions: &mut [i32]) {
        let setup = &*self.setup;
        in_parts(setup.settings.threads, &mut self.games, actions, |Part { games, data: actions, .. }| {
            for (table, action) in games.iter_mut().zip(actions) {
                *action = setup.choose(table);
            }
        });
    }

    fn draw(&mut self, logits: &Logits<'_>, temperature: f32, actions: &mut [i32]) -> Result<(), Wrong> {
        let setup = &*self.setup;
        let results = in_parts(setup.settings.threads, &mut self.games, actions, |Part { first, games, data }| {
            let (mut policy, mut result) = (Policy::default(), Ok(()));
            for (number, (table, action)) in (first..).zip(games.iter_mut().zip(data)) {
                *action = -1;
                if table.is_over {
                    continue;
                }
                let random = table.rng().fraction();
                let legal = setup.list(table);
                match policy.select(number, logits.of(number), legal) {
                    Ok(()) => *action = legal[policy.draw(temperature, random)] as i32,
                    Err(wrong) => result = result.and(Err(wrong)),
                }
            }
            result
        });
        let result: Result<(), Wrong> = results.into_iter().collect();
        if result.is_err() {
            self.games.iter_mut().filter(|table| !table.is_over).for_each(Table::withdraw);
        }
        result
    }

    fn legal(&mut self) -> Legal {
        let setup = &*self.setup;
        let parts = in_parts(setup.settings.threads, &mut self.games, (), |Part { games, .. }| {
            let (mut counts, mut ids) = (Vec::with_capacity(games.len()), Vec::new());
            for table in games {
                let legal = setup.list(table);
                counts.push(legal.len());
                ids.extend(legal.iter().map(|&id| id as i32));
            }
            (counts, ids)
        });
        let mut legal = Legal { offsets: vec![0], ids: Vec::new() };
        let mut end = 0;
        for (counts, ids) in parts {
            for count in counts {
                end += count as i64;
                legal.offsets.push(end);
            }
            if legal.ids.is_empty() { legal.ids = ids } else { legal.ids.extend(ids) }
        }
        legal
    }

    fn log_softmax(&mut self, logits: &Logits<'_>) -> Result<Vec<f32>, Wrong> {
        let setup = &*self.setup;
        let parts = in_parts(setup.settings.threads, &mut self.games, (), |Part { first, games, .. }| {
            let (mut policy, mut logs) = (Policy::default(), Vec::new());
            for (number, table) in (first..).zip(games) {
                if !table.is_over {
                    policy.select(number, logits.of(number), setup.list(table))?;
                    policy.push_logs(&mut logs);
                }
            }
            Ok(logs)
        });
        Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn clear(&mut self, mut outputs: Outputs<'_>) {
        for (number, table) in self.games.iter_mut().enumerate() {
            self.setup.clear(table, &mut outputs, number);
        }
    }

    fn rollout(&mut self, steps: u64, outputs: Outputs<'_>) -> u64 {
        let setup = &*self.setup;
        let ended =
            in_parts(setup.settings.threads, &mut self.games, outputs, |Part { games, data: mut outputs, .. }| {
                let mut ended = 0;
                for (number, table) in games.iter_mut().enumerate() {
                    for _ in 0..steps {
                        let Some(m) = table.random_move() else { break };
                        setup.clear(table, &mut outputs, number);
                        ended += u64::from(setup.advance(table, m, &mut outputs, number));
                    }
                }
                ended
            });
        ended.into_iter().sum()
    }

    fn show(&mut self, outputs: Outputs<'_>) {
        let setup = &*self.setup;
        in_parts(setup.settings.threads, &mut self.games, outputs, |Part { games, data: mut outputs, .. }| {
            for (number, table) in games.iter_mut().enumerate() {
                setup.show(table, &mut outputs, number);
            }
        });
    }

    fn reset(&mut self, marked: Option<&[bool]>, seed: Option<u64>, mut outputs: Outputs<'_>) {
        for (number, table) in self.games.iter_mut().enumerate().filter(|&(number, _)| is_marked(marked, number)) {
            table.restart();
            if let Some(seed) = seed {
                (table.random, table.episode) = (stream(seed, number), 0);
            }
            self.setup.clear(table, &mut outputs, number);
            self.setup.show(table, &mut outputs, number);
        }
    }

    fn place(&mut self, positions: &[(usize, String)], mut outputs: Outputs<'_>) -> Result<(), Wrong> {
        let parse = |(game, text): &(usize, String)| {
            let position = self.parse(text).and_then(|position| self.setup.playable(position));
            Ok((*game, position.map_err(|wrong| within(&format!("game {game}:"), wrong))?))
        };
        let positions: Vec<(usize, P)> = positions.iter().map(parse).collect::<Result<_, Wrong>>()?;
        for (number, position) in positions {
            let table = &mut self.games[number];
            table.place(position);
            self.setup.clear(table, &mut outputs, number);
            self.setup.show(table, &mut outputs, number);
        }
        Ok(())
    }

    fn copies(&mut self, games: &[usize]) -> Box<dyn AnyTables> {
        let games = games.iter().map(|&game| self.games[game].copy()).collect();
        Box::new(Self { setup: Arc::clone(&self.setup), games })
    }

    fn save(&self) -> Saved {
        let games = &self.games;
        let texts = |positions: &VecDeque<P>| positions.iter().map(P::to_string).collect();
        Saved {
            starts: games.iter().map(|table| table.start.to_string()).collect(),
            positions: games.iter().map(|table| table.position.to_string()).collect(),
            bases: games.iter().map(|table| table.base.to_string()).collect(),
            trails: games.iter().map(|table| table.trail.iter().map(|&m| P::pack(m)).collect()).collect(),
            episodes: games.iter().map(|table| table.episode).collect(),
            recent: games.iter().map(|table| texts(&table.recent)).collect(),
            past: games.iter().map(|table| table.past.clone()).collect(),
            plies: games.iter().map(|table| table.plies).collect(),
            finished: games.iter().map(|table| table.is_over).collect(),
            random: games.iter().map(|table| table.random).collect(),
        }
    }

    fn load(&mut self, saved: Saved) -> Result<(), Wrong> {
        let Saved { starts, positions, bases, trails, episodes, recent, past, plies, finished, random } = saved;
        let count = self.games.len();
        let texts = [starts.len(), positions.len(), bases.len(), trails.len(), recent.len(), past.len()];
        let numbers = [episodes.len(), plies.len(), finished.len(), random.len()];
        let lengths = texts.into_iter().chain(numbers);
        if let Some(found) = lengths.into_iter().find(|&found| found != count) {
            return Err(Wrong::Value(format!("saved state: {found} games found, expected {count}")));
        }
        let parse = |text: &String| Ok(self.setup.settings.rules.apply(self.parse(text)?));
        let mut games = Vec::with_capacity(count);
        for (number, (start, position)) in starts.iter().zip(&positions).enumerate() {
            let mut table = Table::new(parse(start)?, random[number]);
            table.position = parse(position)?;
            table.recent = recent[number].iter().map(parse).collect::<Result<_, Wrong>>()?;
            table.base = parse(&bases[number])?;
            table.trail = moves(&table.base, &trails[number])?;
            (table.plies, table.episode, table.is_over) = (plies[number], episodes[number], finished[number]);
            table.mark_final();
            games.push(table);
        }
        for ((table, past), old) in games.iter_mut().zip(past).zip(&mut self.games) {
            table.past = past;
            // The masks still show the ids of the replaced game.
            core::mem::swap(&mut table.legal, &mut old.legal);
        }
        self.games = games;
        Ok(())
    }

    fn roots(&self, marked: Option<&[bool]>) -> Box<dyn Any + Send> {
        let count = self.games.len();
        let searched = |&(number, table): &(usize, &Table<P>)| is_marked(marked, number) && !table.is_over;
        let root = |(number, table): (usize, &Table<P>)| {
            let record = self.setup.record(table);
            let stream = number as u64 + u64::from(table.episode) * count as u64;
            Root { number, record, recent: table.recent.clone(), stream }
        };
        let games = self.games.iter().enumerate().filter(searched).map(root).collect();
        let encoding: Arc<dyn Encoding<P>> = Arc::clone(&self.setup) as _;
        Box::new(Roots { games, encoding, count, threads: self.setup.settings.threads })
    }

    fn position(&self, game: usize) -> String {
        self.games[game].position.to_string()
    }

    fn move_of(&mut self, game: usize, action: i32) -> Result<String, Wrong> {
        let table = &mut self.games[game];
        let found = if table.is_over { None } else { self.setup.find(table, action) };
        found.map(notation::written).ok_or_else(|| self.illegal(game, action))
    }

    fn action_of(&self, game: usize, text: &str) -> Result<i32, Wrong> {
        let p = &self.games[game].position;
        Ok(self.setup.id(p, notation::read(p, text)?))
    }

    fn symmetries(&self) -> Permutations {
        let size = self.setup.settings.planes.size;
        let permutation = |count: usize, source: &dyn Fn(usize) -> usize| {
            (0..count).map(|index| source(index) as i64).collect::<Vec<_>>()
        };
        let symmetries = (0..P::SYMMETRIES.images()).map(|image| Symmetry::new(image, size));
        let (squares, actions) = symmetries
            .map(|symmetry| {
                let squares = permutation(size * size, &|square| symmetry.square(square));
                (squares, permutation(self.setup.actions, &|id| A::source(id, size, symmetry)))
            })
            .unzip();
        Permutations { squares, actions }
    }
}
