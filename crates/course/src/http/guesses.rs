//! Limits on the number of unknown links that are tried from a network address.

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of unknown links from an address in [`SPAN`]. Tokens have 128 random bits, so the limit protects the
/// server's time rather than the tokens.
const MOST: u32 = 30;
const SPAN: Duration = Duration::from_mins(1);
/// Maximum number of addresses, and of known links, that are kept.
const KEPT: usize = 10_000;

/// Counts of unknown links by address. Links that were valid before can be used from every address, so guesses in a
/// network exclude none of its other users.
#[derive(Default)]
pub(super) struct Guesses(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    /// Hashes of tokens that were valid.
    right: HashSet<String>,
    /// Beginning and number of the unknown links of an address.
    wrong: HashMap<IpAddr, (Instant, u32)>,
}

impl Guesses {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if a link with this hash may be tried from an address; `None` is a text that is no token.
    pub(super) fn may_try(&self, hash: Option<&str>, from: IpAddr) -> bool {
        let counts = self.counts();
        hash.is_some_and(|hash| counts.right.contains(hash))
            || counts.wrong.get(&network(from)).is_none_or(|(began, count)| *count < MOST || began.elapsed() >= SPAN)
    }

    /// Records a valid link.
    pub(super) fn is_right(&self, hash: String) {
        let mut counts = self.counts();
        if counts.right.len() >= KEPT {
            counts.right.clear();
        }
        counts.right.insert(hash);
    }

    /// Records an unknown link.
    pub(super) fn is_wrong(&self, from: IpAddr) {
        let mut counts = self.counts();
        if counts.wrong.len() >= KEPT {
            counts.wrong.retain(|_, (began, _)| began.elapsed() < SPAN);
        }
        if counts.wrong.len() >= KEPT {
            counts.wrong.clear();
        }
        let (began, count) = counts.wrong.entry(network(from)).or_insert_with(|| (Instant::now(), 0));
        if began.elapsed() >= SPAN {
            (*began, *count) = (Instant::now(), 0);
        }
        *count += 1;
    }
}

/// Returns the address that counts: users of IPv6 have whole networks with 64 bits.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_of_an_address_are_limited_and_exclude_no_known_link() {
        let guesses = Guesses::default();
        let [one, other]: [IpAddr; 2] = ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().expect("an address"));
        guesses.is_right("known".to_owned());
        for _ in 0..MOST {
            assert!(guesses.may_try(None, one));
            guesses.is_wrong(one);
        }
        assert!(!guesses.may_try(Some("new"), one) && !guesses.may_try(None, one));
        assert!(guesses.may_try(Some("known"), one) && guesses.may_try(Some("new"), other));
    }

    #[test]
    fn addresses_of_one_network_count_together() {
        let [one, other, third] = ["2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1"]
            .map(|text| network(text.parse().expect("an address")));
        assert!(one == other && one != third);
    }
}
