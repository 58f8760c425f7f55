@external("env", "log")
declare function log(x: i32): void;
export function fib(n: i32): i32 {
  if (n < 2) return n;
  return fib(n - 1) + fib(n - 2);
}
export function leave(n: i32): void {
  while (true) {
    if (n-- == 0) return;
    log(fib(n));
  }
}
export function main(count: i32): i32 {
  leave(count);
  return 7;
}
