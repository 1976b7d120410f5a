//! Serialization of an engine build by its name.

use engine::Build;
use serde::{Deserialize, Deserializer, Serializer, de::Error};

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires a reference")]
pub(super) fn serialize<S: Serializer>(build: &Build, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(build.name())
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Build, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}
