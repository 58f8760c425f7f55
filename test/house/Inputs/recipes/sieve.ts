// SPDX-License-Identifier: Apache-2.0
function sieve(limit: i32): i32 {
  const composite = new Uint8Array(limit + 1);
  let count = 0;
  for (let n = 2; n <= limit; n++) {
    if (composite[n]) continue;
    count++;
    for (let m = n * 2; m <= limit; m += n) composite[m] = 1;
  }
  return count;
}

export function run(): i32 {
  let count = 0;
  for (let i = 0; i < 20; i++) count = sieve(2_000_000);
  return count;
}
