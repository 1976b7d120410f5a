//! Serialization of a level by its name.

use engine::Level;
use serde::{Deserialize, Deserializer, Serializer, de::Error};

/// A level by name or number. Games that earlier versions stored in a browser contain numbers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Name(String),
    Number(u8),
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires a reference")]
pub(super) fn serialize<S: Serializer>(level: &Level, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(level.name())
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Level, D::Error> {
    let level = match Written::deserialize(from)? {
        Written::Name(name) => name.parse(),
        Written::Number(number) => Level::new(number),
    };
    level.map_err(D::Error::custom)
}
