//! Engines whose evaluator is a neural network: a function in Python, or an ONNX file.

use core::any::Any;
use core::num::NonZeroUsize;
use std::collections::VecDeque;

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use search::{Gumbel, Limits, MctsSettings, Planning, RootRule, Stop};

use crate::attend::attend;
use crate::batch::arguments::{floats, is_second};
use crate::batch::options::{ACTIONS, MOST_HISTORY, PERSPECTIVES};
use crate::chosen::{Chosen, Decision};
use crate::encode::{Encoded, Visitor};
use crate::error::Wrong;
use crate::onnx::{Onnx, Session, Shape};
use crate::planes::Planes;
use crate::record::{AnyGame, Playing};
use crate::roots::{Encoding, Root, Roots, encoding};
use crate::rounds::{Evaluations, Rounds, Rows};
use crate::thought::Choice;
use crate::whole::Whole;

/// Names of the rules for the root's moves.
const ROOTS: [&str; 3] = ["auto", "puct", "gumbel"];
/// Largest number of simulations at which the rule `"auto"` is `"gumbel"`.
const FEW: u64 = 64;
/// Maximum number of leaves of a search in a call of the evaluator.
const MOST_LEAVES: usize = 1 << 16;

/// The arguments of an engine with an evaluator.
pub(crate) struct NetworkArguments<'a> {
    pub(crate) actions: &'a str,
    pub(crate) perspective: &'a str,
    pub(crate) history: Whole,
    pub(crate) turn_plane: bool,
    pub(crate) leaves: Whole,
    pub(crate) root: &'a str,
    pub(crate) considered: Whole,
    pub(crate) gumbel_noise: f64,
    pub(crate) exploration: f64,
}

/// The options of an engine with an evaluator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NetworkOptions {
    compact: bool,
    of_mover: bool,
    history: usize,
    turn_plane: bool,
    leaves: NonZeroUsize,
    root: &'static str,
    considered: usize,
    gumbel_noise: f64,
    exploration: f64,
}

impl Default for NetworkOptions {
    fn default() -> Self {
        Self {
            compact: false,
            of_mover: false,
            history: 0,
            turn_plane: false,
            leaves: const { NonZeroUsize::new(8).expect("not zero") },
            root: ROOTS[0],
            considered: Gumbel::default().considered,
            gumbel_noise: 0.0,
            exploration: MctsSettings::default().exploration,
        }
    }
}

impl NetworkOptions {
    /// Checks the arguments.
    ///
    /// # Errors
    /// If one is out of range.
    pub(crate) fn new(given: NetworkArguments<'_>) -> Result<Self, Wrong> {
        let number = |name: &str, found: f64| {
            let expected = || Wrong::Value(format!("{name} {found}: expected a finite number, 0 or more"));
            Some(found).filter(|found| (0.0..f64::INFINITY).contains(found)).ok_or_else(expected)
        };
        let root = ROOTS.into_iter().find(|&root| root == given.root).ok_or_else(|| {
            let found = game::text::excerpt(given.root);
            Wrong::Value(format!("root \"{found}\": expected \"auto\", \"puct\" or \"gumbel\""))
        })?;
        let leaves = given.leaves.within("leaves", 1..=MOST_LEAVES, "")?;
        Ok(Self {
            compact: is_second("actions", given.actions, ACTIONS)?,
            of_mover: is_second("perspective", given.perspective, PERSPECTIVES)?,
            history: given.history.within("history", 0..=MOST_HISTORY, "")?,
            turn_plane: given.turn_plane,
            leaves: NonZeroUsize::new(leaves).unwrap_or(NonZeroUsize::MIN),
            root,
            considered: given.considered.within("considered", 1..=usize::MAX, "")?,
            gumbel_noise: number("gumbel_noise", given.gumbel_noise)?,
            exploration: number("exploration", given.exploration)?,
        })
    }

    /// Adds the named arguments of a batch with this encoding.
    pub(crate) fn name_encoding(&self, named: &Bound<'_, PyDict>) -> PyResult<()> {
        named.set_item("actions", ACTIONS[usize::from(self.compact)])?;
        named.set_item("perspective", PERSPECTIVES[usize::from(self.of_mover)])?;
        named.set_item("history", self.history)?;
        named.set_item("turn_plane", self.turn_plane)
    }

    /// Adds the named arguments that give these options.
    pub(crate) fn name_all(&self, named: &Bound<'_, PyDict>) -> PyResult<()> {
        self.name_encoding(named)?;
        named.set_item("leaves", self.leaves.get())?;
        named.set_item("root", self.root)?;
        named.set_item("considered", self.considered)?;
        named.set_item("gumbel_noise", self.gumbel_noise)?;
        named.set_item("exploration", self.exploration)
    }

    fn settings(&self) -> MctsSettings {
        let gumbel = Gumbel { considered: self.considered, noise: self.gumbel_noise, ..Gumbel::default() };
        let root = match self.root {
            "puct" => RootRule::Puct,
            "gumbel" => RootRule::Gumbel(gumbel),
            _ => RootRule::Few(FEW, gumbel),
        };
        MctsSettings { batch: self.leaves, root, exploration: self.exploration, ..MctsSettings::default() }
    }

    fn planes(&self, size: usize) -> Planes {
        Planes { size, of_mover: self.of_mover, history: self.history, turn: self.turn_plane }
    }
}

/// A visitor that returns the shapes of an evaluator.
pub(crate) struct ShapeOf<'a> {
    /// The options.
    pub(crate) options: &'a NetworkOptions,
    /// Board size, in squares per side.
    pub(crate) size: usize,
}

impl Visitor for ShapeOf<'_> {
    type Output = Shape;

    fn visit<P: Encoded>(self) -> Shape {
        let Self { options, size } = self;
        let planes = options.planes(size);
        Shape { planes: planes.count::<P>(), size, actions: encoding::<P>(options.compact, planes).actions() }
    }
}

/// A search with an evaluator.
pub(crate) struct Network<'a, 'py> {
    /// The evaluator: a function or a path.
    pub(crate) evaluator: &'a Bound<'py, PyAny>,
    /// The network of the path.
    pub(crate) onnx: Option<&'a Onnx>,
    /// The options.
    pub(crate) options: &'a NetworkOptions,
    /// The limits of a search.
    pub(crate) limits: Limits,
    /// The seed of the engine.
    pub(crate) seed: u64,
}

impl<'py> Network<'_, 'py> {
    /// Runs searches to their ends. Ctrl-C stops them.
    ///
    /// # Errors
    /// Those of the evaluator, and errors for invalid results.
    fn run<P: Encoded>(&self, rounds: &mut Rounds<P>, encoding: &dyn Encoding<P>) -> PyResult<()> {
        let py = self.evaluator.py();
        let width = Some(encoding.actions());
        if let Some(onnx) = self.onnx {
            let session = onnx.session(py, rounds.threads)?;
            return Ok(attend(py, |stop| run_session(rounds, width, &session, &stop))??);
        }
        // A function runs in this thread.
        let mut next = py.detach(|| rounds.advance(None))?;
        while let Some(rows) = next {
            py.check_signals()?;
            next = if rows.counts.is_empty() {
                py.detach(|| rounds.advance(None))?
            } else {
                let (logits, values) = self.evaluate(rows, encoding)?;
                let width = width.filter(|_| logits.ndim() == 2);
                let (logits, values) = (slice(&logits)?, slice(&values)?);
                let evaluations = Evaluations { evaluator: "evaluator", logits, width, values };
                py.detach(|| resume(rounds, &evaluations))?
            };
        }
        Ok(())
    }

    /// Calls the function. Returns its logits and its values, with checked shapes.
    fn evaluate<P: Encoded>(
        &self,
        rows: Rows,
        encoding: &dyn Encoding<P>,
    ) -> PyResult<(PyReadonlyArrayDyn<'py, f32>, PyReadonlyArrayDyn<'py, f32>)> {
        let py = self.evaluator.py();
        let Planes { size, .. } = encoding.planes();
        let (count, ids, actions) = (rows.counts.len(), rows.ids.len(), encoding.actions());
        let ends = rows.counts.iter().scan(0, |end, &count| {
            *end += count as i64;
            Some(*end)
        });
        let offsets: Vec<i64> = core::iter::once(0).chain(ends).collect();
        let planes =
            PyArray1::from_vec(py, rows.planes).reshape([count, encoding.planes().count::<P>(), size, size])?;
        let legal = (PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, rows.ids));
        let result = self.evaluator.call1((planes, legal.0, legal.1))?;
        let pair = result.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2).ok_or_else(|| {
            let found = result.get_type().to_string();
            Wrong::Type(format!("evaluator: {found} found, expected a tuple of two arrays, logits and values"))
        })?;
        let logits = floats("evaluator: logits", &pair.get_item(0)?)?;
        if logits.shape() != [count, actions] && logits.shape() != [ids] {
            let found = logits.shape();
            let expected = format!("[{count}, {actions}], positions and action ids, or [{ids}], legal actions");
            return Err(Wrong::Value(format!("evaluator: logits of shape {found:?}: expected {expected}")).into());
        }
        let values = floats("evaluator: values", &pair.get_item(1)?)?;
        if values.shape() != [count] {
            let found = values.shape();
            let expected = format!("[{count}], one for each position");
            return Err(Wrong::Value(format!("evaluator: values of shape {found:?}: expected {expected}")).into());
        }
        Ok((logits, values))
    }

    /// Begins the search of a game.
    fn planning<P: Encoded>(&self, record: &game::Record<P>, stop: &Stop, stream: u64) -> Option<Planning<P>> {
        let seed = self.seed.wrapping_add(stream);
        Planning::new(record, &self.options.settings(), seed, &self.limits, stop.clone())
    }

    /// Returns a signal that stops the searches at the time limit.
    fn stop(&self) -> Stop {
        self.limits.movetime.map_or_else(Stop::new, |time| Stop::new().after(search::now, time))
    }
}

fn slice<'a>(array: &'a PyReadonlyArrayDyn<'_, f32>) -> Result<&'a [f32], Wrong> {
    array.as_slice().map_err(Wrong::value)
}

/// Runs searches with a network in an ONNX file, to their ends or until `stop`.
fn run_session<P: Encoded>(
    rounds: &mut Rounds<P>,
    width: Option<usize>,
    session: &Session,
    stop: &Stop,
) -> Result<(), Wrong> {
    let mut next = rounds.advance(None)?;
    while let Some(rows) = next {
        let [logits, values] = session.evaluate(&rows, stop)?;
        if stop.check(0).is_err() {
            break;
        }
        next = if rows.counts.is_empty() {
            rounds.advance(None)?
        } else {
            resume(rounds, &Evaluations { evaluator: session.name(), logits: &logits, width, values: &values })?
        };
    }
    Ok(())
}

/// Checks that the values lie between -1 and 1, and continues the searches.
fn resume<P: Encoded>(rounds: &mut Rounds<P>, evaluations: &Evaluations<'_>) -> Result<Option<Rows>, Wrong> {
    let mut values = evaluations.values.iter().enumerate();
    if let Some((row, value)) = values.find(|(_, value)| !(-1.0..=1.0).contains(*value)) {
        let evaluator = evaluations.evaluator;
        return Err(Wrong::Value(format!("{evaluator}: values: {value} for the position {row}: expected -1 to 1")));
    }
    rounds.advance(Some(evaluations))
}

/// A visitor that chooses a move in a game.
pub(crate) struct ChooseOne<'a, 'py> {
    /// The search.
    pub(crate) network: Network<'a, 'py>,
    /// The game.
    pub(crate) game: &'a dyn AnyGame,
    /// Board size of the engine, in squares per side.
    pub(crate) size: usize,
    /// Maximum number of lines.
    pub(crate) lines: usize,
}

impl Visitor for ChooseOne<'_, '_> {
    /// `None` if the game is over.
    type Output = PyResult<Option<Choice>>;

    fn visit<P: Encoded>(self) -> Self::Output {
        let Self { network, game, size, lines } = self;
        let record = &Playing::<P>::of(game, size)?.record;
        if record.finish().is_some() {
            return Ok(None);
        }
        let Some(planning) = network.planning(record, &network.stop(), 0) else { return Ok(None) };
        let steps = record.steps().iter().rev().skip(1).take(network.options.history);
        let recent: VecDeque<P> = steps.map(|step| step.position.clone()).collect();
        let encoding = encoding::<P>(network.options.compact, network.options.planes(size));
        let mut rounds = Rounds::new([(planning, recent)], encoding.clone(), 1);
        network.run(&mut rounds, &*encoding)?;
        Ok(rounds.plannings().next().map(|planning| Choice::of(&planning.plan().choice(lines))))
    }
}

/// A visitor that chooses an action in each game of a batch.
pub(crate) struct ChooseMany<'a, 'py> {
    /// The search.
    pub(crate) network: Network<'a, 'py>,
    /// The [`Roots`] of the batch.
    pub(crate) roots: Box<dyn Any + Send>,
}

impl Visitor for ChooseMany<'_, '_> {
    type Output = PyResult<Chosen>;

    fn visit<P: Encoded>(self) -> Self::Output {
        let Self { network, roots } = self;
        let Roots { games, encoding, count, threads } = Roots::<P>::of(roots);
        let own = self::encoding::<P>(network.options.compact, network.options.planes(encoding.planes().size));
        check_encoding(&*encoding, &*own)?;
        let stop = network.stop();
        let mut searched: Vec<(usize, P)> = Vec::with_capacity(games.len());
        let mut searches = Vec::with_capacity(games.len());
        for Root { number, record, recent, stream } in games {
            if let Some(planning) = network.planning(&record, &stop, stream) {
                searched.push((number, record.position().clone()));
                searches.push((planning, recent));
            }
        }
        let mut rounds = Rounds::new(searches, encoding.clone(), threads);
        network.run(&mut rounds, &*encoding)?;
        let decisions = searched.iter().zip(rounds.plannings());
        Ok(Chosen::new(count, decisions.map(|((number, p), planning)| (*number, decision(&*encoding, p, planning)))))
    }
}

/// Returns the decision of a finished search.
fn decision<P: Encoded>(encoding: &dyn Encoding<P>, p: &P, planning: &Planning<P>) -> Decision {
    let plan = planning.plan();
    let uses_visits = !planning.is_gumbel() && plan.moves.iter().any(|planned| planned.visits > 0);
    let weights = plan.moves.iter().map(|planned| {
        let weight = if uses_visits { planned.visits as f32 } else { planned.policy };
        (planned.m, weight)
    });
    Decision::new(encoding, p, plan.moves[0].m, plan.value.into(), weights)
}

/// Checks that a batch has the encoding of an engine.
fn check_encoding<P: Encoded>(batch: &dyn Encoding<P>, own: &dyn Encoding<P>) -> Result<(), Wrong> {
    let describe = |encoding: &dyn Encoding<P>| {
        let (actions, Planes { of_mover, history, turn, .. }) = (encoding.actions(), encoding.planes());
        let perspective = PERSPECTIVES[usize::from(of_mover)];
        let turn = if turn { "True" } else { "False" };
        format!("{actions} action ids, perspective=\"{perspective}\", history={history}, turn_plane={turn}")
    };
    let (found, expected) = (describe(batch), describe(own));
    if found == expected {
        return Ok(());
    }
    Err(Wrong::Value(format!("a batch with {found} found, expected the options of the engine: {expected}")))
}
