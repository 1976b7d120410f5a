//! The sequential probability ratio test (SPRT) that a tournament file configures.

use rating::{Model, Sprt, SprtError};
use serde::{Deserialize, Serialize};

/// The sequential test that the table `[sprt]` of a tournament file describes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SprtFields", into = "SprtFields")]
pub struct SprtSpec(pub Sprt);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SprtFields {
    elo0: f64,
    elo1: f64,
    #[serde(default = "five_percent")]
    alpha: f64,
    #[serde(default = "five_percent")]
    beta: f64,
    #[serde(default)]
    model: ModelName,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ModelName {
    #[default]
    Normalised,
    Logistic,
}

const fn five_percent() -> f64 {
    0.05
}

impl TryFrom<SprtFields> for SprtSpec {
    type Error = SprtError;

    fn try_from(fields: SprtFields) -> Result<Self, SprtError> {
        let model = match fields.model {
            ModelName::Normalised => Model::Normalised,
            ModelName::Logistic => Model::Logistic,
        };
        Sprt::new(fields.elo0, fields.elo1, fields.alpha, fields.beta).map(|test| Self(test.of(model)))
    }
}

impl From<SprtSpec> for SprtFields {
    fn from(SprtSpec(test): SprtSpec) -> Self {
        let ([elo0, elo1], [alpha, beta]) = (test.hypotheses(), test.errors());
        let model = match test.model() {
            Model::Normalised => ModelName::Normalised,
            Model::Logistic => ModelName::Logistic,
        };
        Self { elo0, elo1, alpha, beta, model }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::spec::Spec;

    fn read(format: &str, test: &str) -> Result<Spec, String> {
        let agents = "[[agent]]\nname = 'a'\nbuiltin = ''\n[[agent]]\nname = 'b'\nbuiltin = ''";
        let text = format!("game = 'loa'\nformat = '{format}'\n[sprt]\n{test}\n{agents}");
        Spec::read(&text, Path::new("")).map_err(|error| error.to_string())
    }

    #[test]
    fn a_test_is_read_kept_and_written() {
        let spec = read("match", "elo0 = 0\nelo1 = 5").expect("a tournament");
        let usual = Sprt::new(0.0, 5.0, 0.05, 0.05).expect("a test");
        assert_eq!(spec.sprt, Some(SprtSpec(usual)));
        let spec =
            read("match", "elo0 = -1.5\nelo1 = 2\nalpha = 0.1\nbeta = 0.2\nmodel = 'logistic'").expect("a tournament");
        let logistic = Sprt::new(-1.5, 2.0, 0.1, 0.2).expect("a test").of(Model::Logistic);
        assert_eq!(spec.sprt, Some(SprtSpec(logistic)));
        // The test survives the JSON of the store and the TOML of a tournament file.
        let json = serde_json::to_string(&spec).expect("JSON");
        assert_eq!(serde_json::from_str::<Spec>(&json).expect("JSON"), spec);
        assert_eq!(Spec::read(&spec.to_toml().expect("TOML"), Path::new("")).expect("TOML"), spec);
    }

    #[test]
    fn errors_say_what_is_wrong_with_a_test() {
        for (format, test, part) in [
            ("match", "elo0 = 5\nelo1 = 0", "hypotheses 5 and 0"),
            ("match", "elo0 = 0\nelo1 = 5\nalpha = 0.7", "error probability 0.7"),
            ("match", "elo0 = 0\nelo1 = 5\nmodel = 'bayesian'", "bayesian"),
            ("match", "elo0 = 0", "elo1"),
            ("round-robin", "elo0 = 0\nelo1 = 5", "compares two agents"),
        ] {
            let error = read(format, test).expect_err(test);
            assert!(error.contains(part), "{error}");
        }
    }
}
