//! Limits on the number of unknown links that are opened from a network address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of unknown links from an address in [`SPAN`].
const MOST: u32 = 30;
const SPAN: Duration = Duration::from_mins(1);
/// Maximum number of addresses that are kept.
const KEPT: usize = 10_000;

/// Beginning and number of the unknown links of each address. Tokens have 128 random bits, so no guess succeeds. Valid
/// links are not limited: otherwise one guesser could lock out all users of its network.
#[derive(Default)]
pub(super) struct Guesses(Mutex<HashMap<IpAddr, (Instant, u32)>>);

impl Guesses {
    /// Records an unknown link. Returns `false` if there were too many from its address.
    pub(super) fn record(&self, from: IpAddr) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= KEPT {
            counts.retain(|_, (began, _)| began.elapsed() < SPAN);
        }
        if counts.len() >= KEPT {
            counts.clear();
        }
        let (began, count) = counts.entry(network(from)).or_insert_with(|| (Instant::now(), 0));
        if began.elapsed() >= SPAN {
            (*began, *count) = (Instant::now(), 0);
        }
        *count = count.saturating_add(1);
        *count <= MOST
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
    fn guesses_of_an_address_are_limited() {
        let guesses = Guesses::default();
        let [one, other]: [IpAddr; 2] = ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().expect("an address"));
        assert!((0..MOST).all(|_| guesses.record(one)));
        assert!(!guesses.record(one) && guesses.record(other));
    }

    #[test]
    fn addresses_of_one_network_count_together() {
        let [one, other, third] = ["2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1"]
            .map(|text| network(text.parse().expect("an address")));
        assert!(one == other && one != third);
    }

    #[test]
    fn the_number_of_addresses_is_bounded() {
        let guesses = Guesses::default();
        for number in 0..=KEPT as u32 {
            assert!(guesses.record(IpAddr::V4(number.into())));
        }
        assert!(guesses.0.lock().expect("no panic").len() <= KEPT);
    }
}
