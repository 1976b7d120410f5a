//! Tests of the 95 % intervals of ratings, by simulation and by comparison with Ordo's method.

use lab::coverage::{DRAWS, Dependence, Shape, by_ordos_method, coverage, meetings, sets};
use rating::Ratings;

/// Checks the coverage. With 500 tournaments, chance alone changes a share by about one percent.
#[test]
fn intervals_contain_the_true_rating_in_about_95_of_100_tournaments() {
    for shape in [
        Shape { players: 2, step: 40.0, pairs: 50 },
        Shape { players: 6, step: 60.0, pairs: 5 },
        Shape { players: 12, step: 30.0, pairs: 2 },
    ] {
        for draws in DRAWS {
            for dependence in Dependence::ALL {
                let found = coverage(shape, draws, dependence, 500, 1);
                for share in [found.ratings, found.differences] {
                    assert!((0.93..=0.975).contains(&share), "{shape}, {draws} draws, {dependence:?}: {found:?}");
                }
            }
        }
    }
}

/// Checks the intervals for a single pair of games in each pairing. The variance cannot be estimated well from so few
/// results. The intervals should then be too wide rather than too narrow.
#[test]
fn few_games_do_not_give_narrow_intervals() {
    for draws in DRAWS {
        for dependence in Dependence::ALL {
            let found = coverage(Shape { players: 6, step: 60.0, pairs: 1 }, draws, dependence, 500, 1);
            assert!(found.ratings >= 0.94 && found.differences >= 0.94, "{draws} draws, {dependence:?}: {found:?}");
        }
    }
}

/// Checks that the virtual draw changes ratings by less than a tenth of their error, and that our errors and those of
/// Ordo's method differ by less than a tenth.
#[test]
fn ratings_and_errors_agree_with_ordos_method() {
    for (name, players, scores) in sets() {
        let ours = Ratings::new(players, &meetings(&scores));
        for (player, (value, error)) in by_ordos_method(players, &scores, 2_000, 1).into_iter().enumerate() {
            let own = ours.of(player);
            assert!((own.value - value).abs() < 0.1 * error, "{name}: {own}, not {value} ± {error}");
            assert!((own.error / error - 1.0).abs() < 0.1, "{name}: {own}, not {value} ± {error}");
        }
    }
}
