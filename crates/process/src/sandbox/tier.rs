use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A kind of sandbox. The strongest is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// bubblewrap: separate namespaces for processes, network, files, IPC and users.
    Bwrap,
    /// Landlock and a filter of system calls, in the machine's namespaces.
    Landlock,
    /// No sandbox: programs run with their caller's privileges. They still end with their supervisor.
    None,
}

impl Tier {
    /// All kinds, the strongest first.
    pub const ALL: [Self; 3] = [Self::Bwrap, Self::Landlock, Self::None];

    /// Returns the name in files and options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bwrap => "bwrap",
            Self::Landlock => "landlock",
            Self::None => "none",
        }
    }

    /// Describes the isolation of this kind.
    pub const fn promise(self) -> &'static str {
        match self {
            Self::Bwrap => {
                "isolated from other processes, the network, IPC and users; can read its own folder and the system's \
                 programs"
            }
            Self::Landlock => {
                "cannot open sockets or signal other processes, but sees that they exist; can read its own folder and \
                 the system's programs"
            }
            Self::None => "no isolation: programs run with your permissions",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Error for an unknown kind of sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}`: expected bwrap, landlock or none")]
pub struct UnknownTier(String);

impl FromStr for Tier {
    type Err = UnknownTier;

    fn from_str(text: &str) -> Result<Self, UnknownTier> {
        let found = Self::ALL.into_iter().find(|tier| tier.name() == text);
        found.ok_or_else(|| UnknownTier(text.chars().take(40).collect()))
    }
}
