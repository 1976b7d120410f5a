//! How many may be here at a time, and who makes room for a newcomer.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::time::Duration;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Those who are here, connections or pages. When there are too many, the one of the fullest address that has been
/// silent for longest goes. So half requests and forgotten pages never keep a new one out.
pub(crate) struct Crowd {
    most: usize,
    /// Most from one address.
    most_from_one: usize,
    /// Nobody goes who was heard more recently than this.
    patience: Duration,
    members: Mutex<HashMap<u64, Arc<Member>>>,
    next: AtomicU64,
}

struct Member {
    from: IpAddr,
    /// Whether it has asked for something. Those that never did go first.
    has_asked: AtomicBool,
    /// When it last asked for something, or came, in milliseconds since the program began.
    heard: AtomicU64,
    leave: Notify,
}

/// A place in a crowd; given back when dropped.
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

/// Milliseconds since the program began.
fn now() -> u64 {
    machine::now().as_millis() as u64
}

impl Crowd {
    pub(crate) fn new(most: usize, most_from_one: usize, patience: Duration) -> Arc<Self> {
        let (members, next) = (Mutex::default(), AtomicU64::new(0));
        Arc::new(Self { most, most_from_one, patience, members, next })
    }

    fn members(&self) -> MutexGuard<'_, HashMap<u64, Arc<Member>>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many are here.
    pub(crate) fn count(&self) -> usize {
        self.members().len()
    }

    /// A place for somebody from an address. Somebody else may have to go; `None` if nobody has been silent for long.
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

    /// Who goes if one of an address must.
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

/// The address from which most have come.
fn fullest(members: &HashMap<u64, Arc<Member>>) -> Option<IpAddr> {
    let mut counts: HashMap<IpAddr, usize> = HashMap::new();
    for member in members.values() {
        *counts.entry(member.from).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(address, _)| address)
}

impl Place {
    /// Notes that its holder has asked for something.
    pub(crate) fn asks(&self) {
        self.member.has_asked.store(true, Ordering::Relaxed);
        self.member.heard.store(now(), Ordering::Relaxed);
    }

    /// Waits until its holder must go.
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

    /// Whether the holder of a place has been told to go.
    fn must_go(place: &Place) -> bool {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let told = async {
            tokio::select! { biased; () = place.is_lost() => true, () = async {} => false }
        };
        runtime.block_on(told)
    }

    #[test]
    fn those_that_never_asked_go_first_and_nobody_is_kept_out() {
        let crowd = Crowd::new(3, 3, Duration::ZERO);
        let places: Vec<Place> = (0..3).filter_map(|_| crowd.admit(HERE)).collect();
        places[0].asks();
        let fourth = crowd.admit(HERE).expect("somebody goes");
        assert_eq!(places.iter().map(must_go).collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(crowd.count(), 3);
        fourth.asks();
        places[2].asks();
        // Now all have asked; the one that was silent for longest goes.
        let _fifth = crowd.admit(HERE).expect("somebody goes");
        assert!(must_go(&places[0]));
        drop(places);
        drop(fourth);
        assert_eq!(crowd.count(), 1, "a place that was taken away is not given back twice");
    }

    #[test]
    fn who_was_heard_lately_stays_and_the_newcomer_goes() {
        let crowd = Crowd::new(2, 2, Duration::from_hours(1));
        let places: Vec<Place> = (0..2).filter_map(|_| crowd.admit(HERE)).collect();
        assert!(crowd.admit(HERE).is_none());
        assert!(!places.iter().any(must_go));
        drop(places);
        assert!(crowd.admit(HERE).is_some());
    }

    #[test]
    fn one_address_takes_nothing_from_others() {
        let crowd = Crowd::new(6, 4, Duration::ZERO);
        let quiet: Vec<Place> = [1, 2].into_iter().filter_map(|last| crowd.admit(other(last))).collect();
        let greedy: Vec<Place> = (0..20).filter_map(|_| crowd.admit(other(3))).collect();
        assert_eq!((crowd.count(), greedy.iter().filter(|place| must_go(place)).count()), (6, 16));
        // A newcomer's place comes from the address that has most.
        let _new = crowd.admit(other(4)).expect("a place");
        assert!(!quiet.iter().any(must_go));
        assert_eq!(crowd.count(), 6);
    }
}
