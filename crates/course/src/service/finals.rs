//! The final: an ordinary tournament in the course's file.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use arena::{
    AgentFiles, AgentSpec, Follower, Format, Location, Means, Row, Spec, Standings, Store, Tournament, Venue, Watched,
    entry,
};

use crate::clock::Clock;
use crate::config::local;
use crate::config::sections::Cores;
use crate::service::course::{Service, lock};
use crate::service::open::hidden;
use crate::service::options::cores;
use crate::service::pulse::Topic;
use crate::service::shown::{FinalView, Without};
use crate::store::audit::Actor;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::phase::Phase;
use crate::store::teams::{Standing, TeamRow};
use crate::views::StandingRow;

/// Key of the versions of the final in the file, in the order of the tournament's agents.
const ENTERED: &str = "final versions";
/// Minimum time between two looks at the final.
const INTERVAL: Duration = Duration::from_millis(250);

impl Service {
    /// Plays the final to its end. Returns `false` if the course stops before.
    pub(super) fn play_final(&self) -> Result<bool, String> {
        let shown = |error: CourseError| error.to_string();
        let versions = self.enter().map_err(shown)?;
        if versions.len() < 2 {
            self.report(&format!("number of versions in the final: {} found, expected at least 2", versions.len()));
            return Ok(true);
        }
        let location = Location::from(self.path.clone());
        let mut store = Store::open(&location).map_err(|error| error.to_string())?;
        let (mut spec, venue) = self.final_rules(&versions)?;
        let mut tournament = self.tournament(&mut store, &spec, &venue)?;
        // The folder of bundles may have moved, for example because the course was restored on another machine.
        std::mem::swap(&mut tournament.spec.agents, &mut spec.agents);
        let jobs = match self.config.last.cores {
            Some(Cores::Number(0)) => 0,
            _ => tournament.spec.jobs.unwrap_or_else(cores).max(1),
        };
        let mut remote = self.remote_games(&tournament.spec, self.final_files(&versions)?)?;
        let hold = lock(&self.hold);
        self.pulse.tell(&[Topic::Standings, Topic::Live, Topic::Games]);
        let mut watch = |_: &arena::GameLog| {
            self.pulse.tell(&[Topic::Standings, Topic::Games, Topic::Live, Topic::Staff]);
            Ok(ControlFlow::Continue(()))
        };
        let means = Means { jobs, venue: &venue, remote: remote.as_mut(), stop: self.pulse.stopping() };
        let played = arena::run((&mut store, &hold), &tournament, means, &mut watch);
        played.map_err(|error| error.to_string())?;
        Ok(!self.pulse.is_stopping())
    }

    /// Returns the versions of the final in the order of their seeds: that of the ladder when this was first called.
    fn enter(&self) -> Result<Vec<i64>, CourseError> {
        if let Some(text) = self.read(|store| store.meta(ENTERED))? {
            return Ok(serde_json::from_str(&text)?);
        }
        let teams = self.read(CourseStore::teams)?;
        let entered: BTreeMap<&str, i64> =
            teams.iter().filter_map(|row| Some((row.team.id.as_str(), row.entered?))).collect();
        let ranks: BTreeMap<String, usize> =
            lock(&self.field).ladder.table().into_iter().map(|row| (row.team, row.rank)).collect();
        let mut order: Vec<(&str, i64)> = entered.into_iter().collect();
        order.sort_by_key(|(team, _)| (ranks.get(*team).copied().unwrap_or(usize::MAX), *team));
        let versions: Vec<i64> = order.into_iter().map(|(_, version)| version).collect();
        let text = serde_json::to_string(&versions)?;
        self.write(|store| store.set_meta(ENTERED, &text))?;
        Ok(versions)
    }

    /// Returns the versions of the final, in the order of the tournament's agents; empty before the final.
    pub(super) fn entered(&self) -> Result<Vec<i64>, CourseError> {
        if let Some(entered) = &lock(&self.last).entered {
            return Ok(entered.clone());
        }
        let Some(text) = self.read(|store| store.meta(ENTERED))? else { return Ok(Vec::new()) };
        let entered: Vec<i64> = serde_json::from_str(&text)?;
        lock(&self.last).entered = Some(entered.clone());
        Ok(entered)
    }

    /// Returns the rules of the final with the unpacked agents, and their sandbox.
    fn final_rules(&self, versions: &[i64]) -> Result<(Spec, Venue), String> {
        let agents = self.final_agents(versions)?;
        let spec = self.config.final_spec(agents);
        let mut spec = spec.map_err(|error| error.to_string())?;
        let Some(launcher) = &self.options.launcher else { return Ok((spec, self.venue.clone())) };
        spec.sandbox = self.spec.sandbox;
        let hidden = hidden(&self.config, &self.path);
        let prepared = entry::venue(&mut spec, self.options.resources.clone(), hidden, launcher);
        let (venue, warnings) = prepared.map_err(|error| error.to_string())?;
        for warning in &warnings {
            (self.options.log)(&warning.what);
        }
        Ok((spec, venue))
    }

    /// Returns the agents of the final. Their names are those of the teams, with the id if two look alike.
    fn final_agents(&self, versions: &[i64]) -> Result<Vec<AgentSpec>, String> {
        let infos = versions.iter().map(|&version| self.info(version)).collect::<Result<Vec<_>, _>>();
        let infos = infos.map_err(|error| error.to_string())?;
        let looks: Vec<BTreeSet<String>> = infos.iter().map(|info| arena::looks(&self.team_name(&info.team))).collect();
        let mut agents = Vec::new();
        for (number, info) in infos.iter().enumerate() {
            let is_alike = |other: usize| other != number && !looks[other].is_disjoint(&looks[number]);
            let name = self.team_name(&info.team);
            let with_id = format!("{name} ({})", info.team);
            let name = match (0..looks.len()).any(is_alike) {
                false => name,
                true if arena::check_name(&with_id).is_ok() => with_id,
                true => info.team.clone(),
            };
            let hash = info.program.bundle.clone().unwrap_or_default();
            let fetch = || self.read(|store| store.bundle(&hash)).map(Some).map_err(|error| error.to_string());
            let folder = self.cache.get(&hash, fetch).map_err(|error| error.to_string())?;
            agents.push(AgentSpec { name, directory: Some(folder), ..info.program.agent.clone() });
        }
        Ok(agents)
    }

    /// Returns the files that the agents of the final need on other machines.
    fn final_files(&self, versions: &[i64]) -> Result<Vec<AgentFiles>, String> {
        let files = versions.iter().map(|&version| Ok(self.info(version)?.program.files()));
        files.collect::<Result<_, CourseError>>().map_err(|error| error.to_string())
    }

    /// Returns the tournament of the final, and begins it unless it has begun.
    fn tournament(&self, store: &mut Store, spec: &Spec, venue: &Venue) -> Result<Tournament, String> {
        let text = |error: arena::StoreError| error.to_string();
        let recorded = self.read(CourseStore::final_tournament).map_err(|error| error.to_string())?;
        // A crash may have come between the beginning and its record.
        let is_final = |id: &i64| store.tournament(Some(*id)).is_ok_and(|found| found.spec.name == spec.name);
        let found = recorded.or_else(|| store.tournaments().ok()?.into_iter().rev().find(is_final));
        let id = match found {
            Some(id) => id,
            None => {
                let plan = arena::games(spec, venue).map_err(|error| error.to_string())?;
                let entrants = entry::prepare(spec, venue).map_err(|error| error.to_string())?;
                store.begin(spec, plan.planned(), &entrants).map_err(text)?
            }
        };
        self.write(|course| course.set_final_tournament(id)).map_err(|error| error.to_string())?;
        store.tournament(Some(id)).map_err(text)
    }

    /// Starts the final now: closes the course if it is open, and tries again at once if the final has failed. If
    /// uploads are unchecked, the final begins after their checks.
    ///
    /// # Errors
    /// If a team's extension has not expired. The course then stays open.
    pub(super) fn start_final(&self, actor: &Actor) -> Result<(), CourseError> {
        if self.phase() <= Phase::Closing {
            self.expect_no_extension()?;
        }
        if self.phase() == Phase::Open {
            self.close(actor)?;
        }
        if self.phase() == Phase::Closing {
            self.freeze(actor)?;
        }
        self.retry_final.store(true, std::sync::atomic::Ordering::SeqCst);
        self.pulse.tell(&[]);
        Ok(())
    }

    /// Checks that no team has an extension that has not expired.
    fn expect_no_extension(&self) -> Result<(), CourseError> {
        let teams = self.read(CourseStore::teams)?;
        let until = |row: &TeamRow| row.extension.filter(|until| *until > self.clock.now());
        let Some((until, row)) =
            teams.iter().filter_map(|row| Some((until(row)?, row))).max_by_key(|(until, _)| *until)
        else {
            return Ok(());
        };
        let until = local::shown(until, self.config.deadline.time_zone());
        Err(CourseError::Conflict {
            subject: format!("team {}", row.team.id),
            found: format!("extension until {until}"),
            expected: "none".to_owned(),
        })
    }

    /// Returns a number that changes with the shown state of the final.
    pub(super) fn final_changes(&self) -> u64 {
        self.look().changes
    }

    /// Returns the boards of the final.
    pub(super) fn final_boards(&self) -> Vec<arena::Board> {
        self.look().watched.as_ref().map(|watched| watched.boards.clone()).unwrap_or_default()
    }

    /// Looks at the final, unless the last look was a moment ago.
    pub(super) fn look(&self) -> std::sync::MutexGuard<'_, FinalView> {
        let mut view = lock(&self.last);
        if self.phase() < Phase::Final || view.at.is_some_and(|at| at.elapsed() < INTERVAL) {
            return view;
        }
        view.at = Some(Instant::now());
        let Ok(Some(tournament)) = self.read(CourseStore::final_tournament) else { return view };
        let location = Location::from(self.path.clone());
        let follower = view.follower.get_or_insert_with(|| Follower::new(location, Some(tournament)));
        // The next look tries again.
        if let Ok(watched) = follower.look()
            && watched != view.watched
        {
            view.watched = watched;
            view.changes += 1;
        }
        view
    }

    /// Returns the rows of the final's scoreboard, without the teams that take no part any more.
    pub(super) fn final_rows(&self) -> Result<Vec<StandingRow>, CourseError> {
        let entered = self.entered()?;
        let teams = self.read(CourseStore::teams)?;
        let mut owners = Vec::new();
        for &version in &entered {
            owners.push(self.info(version)?);
        }
        let is_out =
            |team: &str| teams.iter().any(|row: &TeamRow| row.team.id == team && row.standing != Standing::Active);
        let out: BTreeSet<usize> = (0..owners.len()).filter(|&agent| is_out(&owners[agent].team)).collect();
        let Some(watched) = self.look().watched.clone() else { return Ok(Vec::new()) };
        let in_play = watched.boards.iter().filter(|board| board.game.end.is_none());
        let live: BTreeSet<usize> = in_play.flat_map(|board| board.game.agents).collect();
        let rows = if out.is_empty() { watched.rows.to_vec() } else { self.rows_without(&watched, &out)? };
        let row = |(place, row): (usize, &Row)| {
            let info = &owners[row.standing.agent];
            let [won, drawn, lost] = row.standing.games;
            let has_played = won + drawn + lost > 0;
            StandingRow {
                rank: place + 1,
                team: info.team.clone(),
                name: self.team_name(&info.team),
                agent: info.introduction.name.clone(),
                tagline: info.introduction.tagline.clone(),
                url: info.introduction.url.clone(),
                elo: Some(row.standing.elo.value).filter(|elo| has_played && elo.is_finite()),
                error: Some(row.standing.elo.error).filter(|error| has_played && error.is_finite()),
                games: won + drawn + lost,
                won,
                drawn,
                lost,
                points: row.points,
                faults: row.standing.faults.clone(),
                version: info.number,
                live: live.contains(&row.standing.agent),
            }
        };
        Ok(rows.iter().enumerate().filter(|(_, row)| row.standing.agent < owners.len()).map(row).collect())
    }

    /// Returns the rows without some agents. In a round robin, the games against them do not count either; in the other
    /// formats, the pairings depend on all games.
    fn rows_without(&self, watched: &Watched, out: &BTreeSet<usize>) -> Result<Vec<Row>, CourseError> {
        let spec = &watched.tournament.spec;
        if spec.format != Format::RoundRobin {
            return Ok(watched.rows.iter().filter(|row| !out.contains(&row.standing.agent)).cloned().collect());
        }
        let is_over = watched.course == arena::Course::Over;
        if let Some(without) = lock(&self.last).without.as_ref().filter(|without| without.agents == *out)
            && (without.played == watched.played || (!is_over && Instant::now() < without.earliest))
        {
            return Ok(without.rows.clone());
        }
        let began = Instant::now();
        let mut standings = Standings::new(spec.agents.len());
        let store = Store::watch(&Location::from(self.path.clone()))?;
        store.each(watched.tournament.id, |game| {
            if !game.planned.agents.iter().any(|agent| out.contains(agent)) {
                standings.add(&game);
            }
            Ok::<_, arena::StoreError>(())
        })?;
        let row = |standing: arena::Standing| Row { points: standing.points(), standing, buchholz: None };
        let table = standings.table().into_iter().filter(|standing| !out.contains(&standing.agent));
        let rows: Vec<Row> = table.map(row).collect();
        // All games are read each time, so that takes at most a twentieth of the time.
        let earliest = Instant::now() + 20 * began.elapsed();
        let without = Without { agents: out.clone(), played: watched.played, rows: rows.clone(), earliest };
        lock(&self.last).without = Some(without);
        Ok(rows)
    }
}
