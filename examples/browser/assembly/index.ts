// SPDX-License-Identifier: Apache-2.0
// Draws the Mandelbrot set into memory that the page puts on its canvas.

const LIMIT = 200;

/** Steps until the point leaves the circle of radius 2. */
function escape(re: f64, im: f64): i32 {
  let x = 0.0;
  let y = 0.0;
  let steps = 0;
  while (steps < LIMIT && x * x + y * y < 4.0) {
    const next = x * x - y * y + re;
    y = 2.0 * x * y + im;
    x = next;
    ++steps;
  }
  return steps;
}

/** A pixel: red, green, blue and alpha, from the lowest byte on. */
function color(steps: i32): u32 {
  if (steps === LIMIT) return 0xff000000;
  const light = <u32>(255.0 * Math.sqrt(<f64>steps / LIMIT));
  return 0xff000000 | (light << 16) | ((light >> 1) << 8);
}

function drawRow(pixels: usize, width: i32, im: f64): void {
  for (let i = 0; i < width; ++i) {
    const re = (<f64>i / width) * 3.5 - 2.5;
    store<u32>(pixels + 4 * i, color(escape(re, im)));
  }
}

/** Draws all and returns the address of the pixels, row by row. */
export function draw(width: i32, height: i32): usize {
  const pixels = heap.alloc(4 * width * height);
  for (let row = 0; row < height; ++row) {
    drawRow(pixels + 4 * row * width, width, (<f64>row / height) * 2.4 - 1.2);
    progress(row);
  }
  return pixels;
}

/** The page's. */
@external("page", "progress")
declare function progress(row: i32): void;
