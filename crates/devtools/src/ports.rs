//! Ports for servers that cannot choose a free port themselves.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

/// First port, and number of ports. Systems choose ports above 32,767 for connections and for port 0; such a port could
/// be in use again before the server listens.
const PORTS: (u16, u32) = (10_000, 22_000);
/// Distance between the first ports of processes with consecutive numbers.
const DISTANCE: u32 = 8;

/// Number of ports that this process has tried.
static TRIED: AtomicU32 = AtomicU32::new(0);

/// Returns free ports of 127.0.0.1. Processes with similar numbers, such as the tests of a run, receive different
/// ports.
pub fn free_ports<const N: usize>() -> [u16; N] {
    [(); N].map(|()| {
        loop {
            let tried = TRIED.fetch_add(1, Ordering::Relaxed);
            let place = std::process::id().wrapping_mul(DISTANCE).wrapping_add(tried) % PORTS.1;
            let port = PORTS.0 + u16::try_from(place).expect("invariant: the number of ports fits");
            if TcpListener::bind(("127.0.0.1", port)).is_ok() {
                return port;
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_free_and_different() {
        let mut ports: Vec<u16> = free_ports::<5>().into_iter().chain(free_ports::<1>()).collect();
        for &port in &ports {
            assert!((10_000..32_000).contains(&port), "{port}");
        }
        let taken = TcpListener::bind(("127.0.0.1", ports[0])).expect("a free port");
        TRIED.store(0, Ordering::Relaxed);
        let [next] = free_ports();
        assert_ne!(next, ports[0], "a port in use is skipped");
        drop(taken);
        ports.sort_unstable();
        ports.dedup();
        assert_eq!(ports.len(), 6);
    }
}
