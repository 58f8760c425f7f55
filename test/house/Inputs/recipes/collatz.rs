// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;

fn collatz(mut n: u64) -> u32 {
    let mut steps = 0;
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
    steps
}

fn main() {
    let mut longest: HashMap<u32, u64> = HashMap::new();
    for n in 1..400_000u64 {
        *longest.entry(collatz(n)).or_default() += n;
    }
    println!("{}", longest.len());
}
