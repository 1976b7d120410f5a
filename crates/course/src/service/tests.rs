//! Courses for the tests of the service.

use std::sync::Arc;

use crate::config::Course;
use crate::service::course::Service;
use crate::service::options::Options;
use crate::store::tests::setup::Setup;

/// Opens a course without its threads. `teams` are the lines of the roster, each with an id and a name; `sections` are
/// added to the course file.
pub(super) fn open(setup: &Setup, teams: &str, sections: &str) -> Arc<Service> {
    let folder = setup.folder.path();
    std::fs::write(folder.join("teams.csv"), format!("id,name\n{teams}")).expect("a roster");
    let text = format!(
        "[course]\nname = 'Course'\nroster = 'teams.csv'\ndeadline = '2026-11-30 18:00'\ntime_zone = 'UTC'\n\
         [game]\ngame = 'loa'\n{sections}"
    );
    let config = Course::read(&text, folder).expect("a course");
    let options = Options { threads: false, ..Options::default() };
    Service::open(config, &setup.path, Arc::new(setup.clock.clone()), options).expect("the course opens")
}
