//! Limits on the number of clients, and the eviction of idle clients.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::time::Duration;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::driver::now;

/// A set of clients: connections or pages. If the set is full, a new client replaces one from the address that has the
/// most clients. If the new client's own address has reached its limit, the new client replaces one from that address.
/// Clients without a request are evicted first, then the client that has been idle longest. Incomplete requests and
/// abandoned pages therefore cannot block new clients permanently.
pub(crate) struct Crowd {
    most: usize,
    /// Maximum number of clients from one address.
    most_from_one: usize,
    /// Minimum idle time before a client is evicted.
    patience: Duration,
    members: Mutex<HashMap<u64, Arc<Member>>>,
    next: AtomicU64,
}

pub(crate) struct Member {
    from: IpAddr,
    /// Set after the first request. Clients without a request are evicted first.
    has_asked: AtomicBool,
    /// Time of the last request, or of the admission if there was none, in milliseconds since the program started.
    heard: AtomicU64,
    leave: Notify,
}

/// A client's entry in a crowd, removed on drop.
pub(crate) struct Place {
    crowd: Arc<Crowd>,
    number: u64,
    member: Arc<Member>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.crowd.members().remove(&self.number);
    }
}

impl Crowd {
    pub(crate) fn new(most: usize, most_from_one: usize, patience: Duration) -> Arc<Self> {
        let (members, next) = (Mutex::default(), AtomicU64::new(0));
        Arc::new(Self { most, most_from_one, patience, members, next })
    }

    fn members(&self) -> MutexGuard<'_, HashMap<u64, Arc<Member>>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of clients.
    pub(crate) fn count(&self) -> usize {
        self.members().len()
    }

    /// Admits a client from an address, and evicts another client if a limit is reached. Returns `None` if no client
    /// that may be evicted has been idle long enough.
    pub(crate) fn admit(self: &Arc<Self>, from: IpAddr) -> Option<Place> {
        let mut members = self.members();
        let of_address = members.values().filter(|member| member.from == from).count();
        let crowded = if of_address >= self.most_from_one {
            Some(from)
        } else if members.len() >= self.most {
            fullest(&members)
        } else {
            None
        };
        if let Some(address) = crowded {
            let number = self.quietest(&members, address)?;
            if let Some(member) = members.remove(&number) {
                member.leave.notify_one();
            }
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (has_asked, heard) = (AtomicBool::new(false), AtomicU64::new(now()));
        let member = Arc::new(Member { from, has_asked, heard, leave: Notify::new() });
        members.insert(number, Arc::clone(&member));
        Some(Place { crowd: Arc::clone(self), number, member })
    }

    /// Returns the client of an address that is evicted next, if any has been idle long enough.
    fn quietest(&self, members: &HashMap<u64, Arc<Member>>, address: IpAddr) -> Option<u64> {
        let now = now();
        let long_ago = |member: &Member| {
            now.saturating_sub(member.heard.load(Ordering::Relaxed)) >= self.patience.as_millis() as u64
        };
        let may_go = members.iter().filter(|(_, member)| member.from == address && long_ago(member));
        let order = |(number, member): &(&u64, &Arc<Member>)| {
            (member.has_asked.load(Ordering::Relaxed), member.heard.load(Ordering::Relaxed), **number)
        };
        may_go.min_by_key(order).map(|(number, _)| *number)
    }
}

/// Returns the address with the most clients.
fn fullest(members: &HashMap<u64, Arc<Member>>) -> Option<IpAddr> {
    let mut counts: HashMap<IpAddr, usize> = HashMap::new();
    for member in members.values() {
        *counts.entry(member.from).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(address, _)| address)
}

impl Member {
    /// Records a request, or progress of a long one.
    pub(crate) fn asks(&self) {
        self.has_asked.store(true, Ordering::Relaxed);
        self.heard.store(now(), Ordering::Relaxed);
    }
}

impl Place {
    /// Records a request of this client.
    pub(crate) fn asks(&self) {
        self.member.asks();
    }

    /// Returns the record of the client's activity.
    pub(crate) fn member(&self) -> Arc<Member> {
        Arc::clone(&self.member)
    }

    /// Waits until this client is evicted.
    pub(crate) async fn is_lost(&self) {
        self.member.leave.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn other(last: u8) -> IpAddr {
        IpAddr::from([192, 168, 0, last])
    }

    /// Returns `true` if the client was evicted.
    fn is_evicted(place: &Place) -> bool {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let told = async {
            tokio::select! { biased; () = place.is_lost() => true, () = async {} => false }
        };
        runtime.block_on(told)
    }

    #[test]
    fn clients_without_a_request_are_evicted_first() {
        let crowd = Crowd::new(3, 3, Duration::ZERO);
        let places: Vec<Place> = (0..3).filter_map(|_| crowd.admit(HERE)).collect();
        places[0].asks();
        let fourth = crowd.admit(HERE).expect("a client is evicted");
        assert_eq!(places.iter().map(is_evicted).collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(crowd.count(), 3);
        fourth.asks();
        places[2].asks();
        // Every client has now made a request, so the client that has been idle longest is evicted.
        let _fifth = crowd.admit(HERE).expect("a client is evicted");
        assert!(is_evicted(&places[0]));
        drop(places);
        drop(fourth);
        assert_eq!(crowd.count(), 1, "the place of an evicted client is freed only once");
    }

    #[test]
    fn a_new_client_is_refused_if_all_others_were_active_recently() {
        let crowd = Crowd::new(2, 2, Duration::from_hours(1));
        let places: Vec<Place> = (0..2).filter_map(|_| crowd.admit(HERE)).collect();
        assert!(crowd.admit(HERE).is_none());
        assert!(!places.iter().any(is_evicted));
        drop(places);
        assert!(crowd.admit(HERE).is_some());
    }

    #[test]
    fn an_address_with_many_clients_evicts_only_its_own() {
        let crowd = Crowd::new(6, 4, Duration::ZERO);
        let quiet: Vec<Place> = [1, 2].into_iter().filter_map(|last| crowd.admit(other(last))).collect();
        let greedy: Vec<Place> = (0..20).filter_map(|_| crowd.admit(other(3))).collect();
        assert_eq!((crowd.count(), greedy.iter().filter(|place| is_evicted(place)).count()), (6, 16));
        // The new client replaces a client of the address with the most clients.
        let _new = crowd.admit(other(4)).expect("a place");
        assert!(!quiet.iter().any(is_evicted));
        assert_eq!(crowd.count(), 6);
    }
}
