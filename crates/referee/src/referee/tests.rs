use game::{Record, examples::Nim};

use super::*;
use crate::player::Farewell;

/// A player of Nim with a list of answers. An empty answer is a crash.
struct Scripted {
    answers: Vec<&'static str>,
    claim: Option<Outcome>,
    last_claim: Option<Outcome>,
    starts: bool,
    /// `true` if its process cannot be started for a move.
    absent: bool,
}

fn scripted(answers: &[&'static str]) -> Scripted {
    Scripted {
        answers: answers.iter().rev().copied().collect(),
        claim: None,
        last_claim: None,
        starts: true,
        absent: false,
    }
}

impl Player for Scripted {
    fn begin(&mut self, _: &dyn TextGame, _: Side, _: u64, _: Duration) -> Result<(), Fault> {
        if self.starts { Ok(()) } else { Err(Fault::new(FaultKind::NoStart, "asleep")) }
    }

    fn choose(&mut self, _: &dyn TextGame, _: &TimeLeft) -> Turn {
        let answer = match self.answers.pop() {
            _ if self.absent => Err(Fault::new(FaultKind::NoStart, "absent")),
            Some("late") => return turn(Ok("1".to_owned()), self.claim, Duration::from_mins(1)),
            // The player had the processor for only three seconds of a minute.
            Some("starved") => {
                let late = turn(Ok("1".to_owned()), self.claim, Duration::from_mins(1));
                return Turn { waited: Duration::from_secs(57), ..late };
            }
            Some("") | None => Err(Fault::new(FaultKind::Crash, "exit code 1")),
            Some(text) => Ok(text.to_owned()),
        };
        turn(answer, self.claim, Duration::from_secs(1))
    }

    fn end(&mut self, _: &dyn TextGame) -> Farewell {
        Farewell { claim: self.last_claim, ..Farewell::default() }
    }

    fn can_be_replaced(&self) -> bool {
        true
    }
}

fn turn(answer: Result<String, Fault>, claim: Option<Outcome>, wall: Duration) -> Turn {
    Turn { claim, ..Turn::new(answer, wall) }
}

fn played(mut first: Scripted, mut second: Scripted, after_fault: AfterFault) -> Played {
    let mut game = Record::new("5 a".parse::<Nim>().expect("a heap"));
    let referee = Referee { time: [TimeControl::default(); 2], after_fault };
    let go_on = &mut |_: &dyn TextGame, _: &Ply| ControlFlow::Continue(());
    referee.play(&mut game, [&mut first, &mut second], 7, go_on).expect("the game is not stopped")
}

const FIRST: Outcome = Outcome::Win(Side::First);
const SECOND: Outcome = Outcome::Win(Side::Second);

#[test]
fn a_game_between_two_honest_players() {
    let game = played(scripted(&["1", "3"]), scripted(&["1"]), AfterFault::Lose);
    assert_eq!((game.outcome, game.ending.to_string().as_str()), (Some(FIRST), "win"));
    assert_eq!(game.plies.iter().map(|ply| ply.text.as_str()).collect::<Vec<_>>(), ["1", "1", "3"]);
    assert!(game.offences.is_empty());
}

#[test]
fn every_fault_loses_and_has_its_name() {
    for (answers, name) in
        [(["1", "x"], "unreadable answer"), (["1", "3"], "illegal move"), (["1", ""], "crash"), (["1", "late"], "time")]
    {
        let game = played(scripted(&answers), scripted(&["2"]), AfterFault::Lose);
        assert_eq!((game.outcome, game.ending.to_string().as_str()), (Some(SECOND), name));
        assert_eq!((game.offences.len(), game.offences[0].ply, game.plies.len()), (1, 2, 2));
        let fault = game.offences[0].fault.to_string();
        assert_eq!(fault.matches(name).count(), 1, "{fault}");
    }
}

#[test]
fn an_answer_within_the_margin_is_in_time() {
    let mut game = Record::new("5 a".parse::<Nim>().expect("a heap"));
    let mut time = [TimeControl::default(); 2];
    time[0].margin = Duration::from_mins(1);
    let referee = Referee { time, after_fault: AfterFault::Lose };
    let (mut first, mut second) = (scripted(&["late", "late"]), scripted(&["late"]));
    let go_on = &mut |_: &dyn TextGame, _: &Ply| ControlFlow::Continue(());
    let game = referee.play(&mut game, [&mut first, &mut second], 7, go_on).expect("the game is not stopped");
    assert_eq!(
        (game.plies.len(), game.offences[0].side, game.offences[0].fault.kind),
        (1, Side::Second, FaultKind::Time)
    );
}

#[test]
fn time_without_a_processor_is_not_charged() {
    let mut game = Record::new("5 a".parse::<Nim>().expect("a heap"));
    let game_time = Some(Duration::from_secs(10));
    let time = [TimeControl { game_time, ..TimeControl::default() }; 2];
    let referee = Referee { time, after_fault: AfterFault::Lose };
    let (mut first, mut second) = (scripted(&["starved", "late"]), scripted(&["1"]));
    let go_on = &mut |_: &dyn TextGame, _: &Ply| ControlFlow::Continue(());
    let game = referee.play(&mut game, [&mut first, &mut second], 7, go_on).expect("the game is not stopped");
    let [ply, _] = game.plies.as_slice() else { panic!("{game:?}") };
    assert_eq!((ply.wall, ply.waited), (Duration::from_mins(1), Duration::from_secs(57)));
    assert_eq!(ply.left, Some(Duration::from_secs(7)));
    assert_eq!(game.ending, Ending::Fault(FaultKind::Time), "its second answer was late by its own fault");
}

#[test]
fn a_random_move_replaces_a_fault() {
    let game = played(scripted(&["x", "x", "x"]), scripted(&["1", "1"]), AfterFault::RandomMove);
    assert!(matches!(game.ending, Ending::Rules(Reason::Board) | Ending::Fault(_)), "{game:?}");
    assert!(game.plies.iter().all(|ply| ply.replaced == (ply.side == Side::First) || !game.offences.is_empty()));
    assert_eq!(game.offences[0].fault.kind, FaultKind::Unreadable);
    let again = played(scripted(&["x", "x", "x"]), scripted(&["1", "1"]), AfterFault::RandomMove);
    assert_eq!(game, again, "the random moves come from the seed");
}

#[test]
fn a_player_that_does_not_start_loses_and_a_game_of_two_is_void() {
    let asleep = || Scripted { starts: false, ..scripted(&[]) };
    let game = played(scripted(&["1"]), asleep(), AfterFault::RandomMove);
    assert_eq!((game.outcome, game.ending), (Some(FIRST), Ending::Fault(FaultKind::NoStart)));
    for after_fault in [AfterFault::Lose, AfterFault::RandomMove] {
        let game = played(asleep(), asleep(), after_fault);
        assert_eq!((game.outcome, game.ending), (None, Ending::Fault(FaultKind::NoStart)));
        assert_eq!(game.offences.len(), 2);
    }
}

#[test]
fn a_program_that_cannot_be_started_for_its_first_move_is_not_replaced() {
    let absent = Scripted { absent: true, ..scripted(&[]) };
    let game = played(absent, scripted(&["1"]), AfterFault::RandomMove);
    assert_eq!((game.outcome, game.ending), (Some(SECOND), Ending::Fault(FaultKind::NoStart)));
    assert_eq!((game.plies.len(), game.offences.len()), (0, 1));
}

#[test]
fn a_claim_in_the_middle_loses_and_one_after_the_end_is_noted() {
    let liar = Scripted { claim: Some(FIRST), ..scripted(&["1", "3"]) };
    let game = played(liar, scripted(&["1"]), AfterFault::Lose);
    assert_eq!((game.outcome, game.ending.to_string().as_str()), (Some(SECOND), "false claim"));
    assert!(game.offences[0].fault.detail.contains("Anna wins"), "{:?}", game.offences);
    let liar = Scripted { claim: Some(FIRST), ..scripted(&[""]) };
    let game = played(liar, scripted(&[]), AfterFault::Lose);
    assert_eq!(game.offences[0].fault.kind, FaultKind::FalseClaim);
    let sore = Scripted { last_claim: Some(SECOND), ..scripted(&["1"]) };
    let game = played(scripted(&["1", "3"]), sore, AfterFault::Lose);
    assert_eq!((game.outcome, game.ending, game.offences.len()), (Some(FIRST), Ending::Rules(Reason::Board), 1));
}

#[test]
fn a_game_that_is_stopped_has_no_result() {
    let mut game = Record::new("5 a".parse::<Nim>().expect("a heap"));
    let referee = Referee { time: [TimeControl::default(); 2], after_fault: AfterFault::Lose };
    let (mut first, mut second) = (scripted(&["1"]), scripted(&["1"]));
    let stop = &mut |_: &dyn TextGame, _: &Ply| ControlFlow::Break(None);
    assert_eq!(referee.play(&mut game, [&mut first, &mut second], 7, stop), None);
}

#[test]
fn a_ruling_ends_a_game_unless_the_rules_have_ended_it() {
    let referee = Referee { time: [TimeControl::default(); 2], after_fault: AfterFault::Lose };
    let rule = &mut |game: &dyn TextGame, _: &Ply| match game.plies() {
        2 => ControlFlow::Break(Some((SECOND, Ruling::WinByProof))),
        _ => ControlFlow::Continue(()),
    };
    for (stones, ending, outcome) in
        [("5 a", Ending::Ruling(Ruling::WinByProof), SECOND), ("2 a", Ending::Rules(Reason::Board), SECOND)]
    {
        let mut game = Record::new(stones.parse::<Nim>().expect("a heap"));
        let (mut first, mut second) = (scripted(&["1", "1"]), scripted(&["1", "1"]));
        let game = referee.play(&mut game, [&mut first, &mut second], 7, rule).expect("a result");
        assert_eq!((game.ending, game.outcome, game.plies.len()), (ending, Some(outcome), 2));
    }
}

#[test]
fn every_ending_has_a_name_of_its_own() {
    let names: std::collections::BTreeSet<_> = Ending::names().map(|(name, _)| name).collect();
    assert_eq!(names.len(), Ending::names().count());
    let words: std::collections::BTreeSet<_> = Ending::names().map(|(_, ending)| ending.to_string()).collect();
    assert_eq!(words.len(), names.len());
    assert!(words.iter().all(|words| !words.contains("tie")), "{words:?}");
}
