//! Tests of the system's clock, threads and stack.

use std::collections::HashSet;
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::Duration;

use search::{SystemThreads, Threads as _, now, with_large_stack};

#[test]
fn the_clock_does_not_go_back() {
    let times: Vec<Duration> = (0..1_000).map(|_| now()).collect();
    assert!(times.is_sorted());
    thread::sleep(Duration::from_millis(2));
    assert!(now() >= times[999] + Duration::from_millis(2));
}

#[test]
fn a_large_stack_holds_deep_recursion() {
    fn depth(left: u32) -> u32 {
        let room = std::hint::black_box([left; 256]);
        if left == 0 { 0 } else { 1 + depth(room[255] - 1) }
    }
    // The recursion needs 100 MB, more than the default stack of a thread.
    assert_eq!(with_large_stack(|| depth(100_000)), 100_000);
}

#[test]
fn helpers_run_in_parallel_with_the_lead_and_have_different_numbers() {
    let (meet, numbers) = (Barrier::new(4), Mutex::new(HashSet::new()));
    let mut led = 0;
    let mut lead = || {
        // The barrier opens when all four threads wait at it.
        meet.wait();
        led += 1;
    };
    SystemThreads.run(&mut lead, 3, &|helper| {
        meet.wait();
        numbers.lock().expect("no panic").insert(helper);
    });
    assert_eq!((led, numbers.into_inner().expect("no panic")), (1, HashSet::from([0, 1, 2])));
}
