// CRC-32C (Castagnoli), four bytes a step: about 1 ns a byte in V8.

const POLYNOMIAL = 0x82f63b78;

/** TABLES[k * 256 + byte]: what `byte` adds to the remainder when k bytes follow it in its step. */
const TABLES = new Uint32Array(4 * 256);
for (let byte = 0; byte < 256; ++byte) {
  let remainder = byte;
  for (let bit = 0; bit < 8; ++bit)
    remainder = (remainder >>> 1) ^ (remainder & 1 ? POLYNOMIAL : 0);
  TABLES[byte] = remainder;
}
for (let i = 256; i < TABLES.length; ++i)
  TABLES[i] = (TABLES[i - 256] >>> 8) ^ TABLES[TABLES[i - 256] & 0xff];

/** The check of bytes[begin, end), continuing `check`. */
export function crc32c(bytes, begin, end, check = 0) {
  let remainder = ~check;
  let at = begin;
  for (; at + 4 <= end; at += 4) {
    remainder =
      TABLES[768 + ((remainder ^ bytes[at]) & 0xff)] ^
      TABLES[512 + (((remainder >>> 8) ^ bytes[at + 1]) & 0xff)] ^
      TABLES[256 + (((remainder >>> 16) ^ bytes[at + 2]) & 0xff)] ^
      TABLES[(remainder >>> 24) ^ bytes[at + 3]];
  }
  for (; at < end; ++at) remainder = (remainder >>> 8) ^ TABLES[(remainder ^ bytes[at]) & 0xff];
  return ~remainder >>> 0;
}
