//! Tests of the figures that cluster simulations report.

use lab::cluster::Latency;

#[test]
fn quantiles_are_those_of_the_sorted_calls() {
    let latency = Latency::of((1..=101).rev().map(|number| number * 1000).collect());
    let Latency { calls, mean, median, p95, p99, longest } = latency;
    assert_eq!((calls, mean, median, p95, p99, longest), (101, 51.0, 51.0, 96.0, 100.0, 101.0));
    assert_eq!(Latency::of(Vec::new()), Latency::default());
}
