//! Checks an agent before a tournament: builds it, tests each step of its dialect, and lets it play a game against
//! itself.

use game::Side;
use process::sandbox::Tier;
use referee::FaultKind;

use crate::entry::advice::{hidden_file, sandbox_advice};
use crate::entry::build::{Built, build};
use crate::entry::check::{Check, Show, State};
use crate::entry::faults::failed;
use crate::entry::identify::identify_strictly;
use crate::entry::moves::{one_move, ready, whole_game};
use crate::entry::network::wanted;
use crate::entry::program::diagnose;
use crate::entry::subject::Subject;

/// Name of the check of an agent's name.
const NAME: &str = "answers `identify`";

/// Number of lines of a failed build that are shown.
const LAST_LINES: usize = 10;

/// Runs the checks of an agent up to the first that fails. Returns `true` if the agent passes all of them, `false` if
/// it fails or `show` ends the checks.
///
/// # Panics
/// If the agent cannot play the game of the specification. [`Spec::player`](crate::Spec::player) returns an error then.
pub fn checks(subject: &Subject<'_>, show: Show<'_>) -> bool {
    let mut checker = Checker::new(*subject, show);
    checker.build() && checker.play()
}

/// The checks of an agent.
pub(crate) struct Checker<'a> {
    subject: Subject<'a>,
    show: Show<'a>,
    /// Set if the agent was late with a first move but in time with the next ones.
    is_slow_at_first: bool,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(subject: Subject<'a>, show: Show<'a>) -> Self {
        Self { subject, show, is_slow_at_first: false }
    }

    /// Builds the agent, if it has a build command. Returns `false` if that fails or the checks end.
    pub(crate) fn build(&mut self) -> bool {
        self.subject.agent.build.is_none() || self.step("build", |checker, name| checker.built(name))
    }

    /// Runs the checks after the build. Returns `false` if one fails or the checks end.
    pub(crate) fn play(&mut self) -> bool {
        self.program()
            && (self.subject.agent.dialect.as_deref() != Some("nus") || self.step(NAME, |checker, _| checker.name()))
            && self.step("starts", |checker, name| ready(name, &checker.subject))
            && self.step("moves first", |checker, name| checker.one_move(name, Side::First))
            && self.step("moves second", |checker, name| checker.one_move(name, Side::Second))
            && self.step("plays a game against itself", |checker, name| {
                whole_game(name, &checker.subject, &mut checker.is_slow_at_first)
            })
    }

    fn one_move(&mut self, name: &'static str, side: Side) -> Check {
        one_move(name, &self.subject, side, &mut self.is_slow_at_first)
    }

    /// Reports the beginning and the result of a check. Returns `false` if it fails or the checks end.
    fn step(&mut self, name: &'static str, run: impl FnOnce(&mut Self, &'static str) -> Check) -> bool {
        if (self.show)(&Check::begun(name)).is_break() {
            return false;
        }
        let check = run(self, name);
        (self.show)(&check).is_continue() && check.state != State::Failed
    }

    /// Checks that the system can start the program. Only a failure is reported.
    fn program(&mut self) -> bool {
        let Some((what, remedy)) = diagnose(self.subject.agent, self.subject.venue) else { return true };
        self.step("program", |_, name| Check::failed(name, what, remedy))
    }

    fn built(&self, name: &'static str) -> Check {
        let Built { failure, output, is_late } = build(self.subject.agent, self.subject.venue);
        let Some(failure) = failure else { return Check::passed(name, "") };
        let tier = self.subject.venue.confinement.as_ref().map_or(Tier::None, |confinement| confinement.tier);
        let explanation = explanation(&output, tier);
        let shorter = "let the build do less, or submit what it makes";
        Check::failed(name, failure, if is_late { format!("{shorter}; {explanation}") } else { explanation })
    }

    /// Checks that an agent of the 6×6 competition reports its name.
    fn name(&self) -> Check {
        let Subject { spec, agent, venue } = self.subject;
        match identify_strictly(agent, spec, venue) {
            Ok(name) => Check::passed(NAME, name),
            Err(fault) if fault.kind == FaultKind::NoStart => failed(NAME, &fault, &self.subject),
            Err(fault) => {
                let expected = "Answer the line `identify` with one line of 1 to 80 printable ASCII characters, such as \
                                `Ann: two moves ahead`.";
                let default = || format!("{expected}{}", sandbox_advice(fault.kind, &self.subject));
                let hidden = hidden_file(&fault.detail, &self.subject).filter(|_| fault.kind == FaultKind::Crash);
                Check::failed(NAME, fault.detail.clone(), hidden.unwrap_or_else(default))
            }
        }
    }
}

/// Explains a failed build by its last lines, and by the missing network if the build tried to use it.
fn explanation(output: &str, tier: Tier) -> String {
    let last: Vec<&str> = output.lines().rev().take(LAST_LINES).collect();
    let last: String = last.into_iter().rev().flat_map(|line| ["\n", line]).collect();
    let last = if last.is_empty() { "it printed nothing".to_owned() } else { format!("its last lines:{last}") };
    match wanted(output).filter(|_| tier != Tier::None) {
        None => last,
        Some(package) if package.is_empty() => {
            format!("builds have no network: submit everything that the build needs; {last}")
        }
        Some(package) => {
            let package = game::text::excerpt(&package);
            format!("builds have no network: the build wanted `{package}`, so submit it with the agent; {last}")
        }
    }
}

#[cfg(test)]
mod tests;
