// A model of ONNX that multiplies two matrices, in Node and in pages.

const SIZE = 256;

// A model is a protocol buffer: fields of numbers, and of bytes, which are texts or further fields.
const number = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...number(value >> 7)]);
const bytesOf = (value) => (typeof value === "string" ? [...new TextEncoder().encode(value)] : value.flat());
function field(key, value) {
  if (typeof value === "number") return [...number(8 * key), ...number(value)];
  const bytes = bytesOf(value);
  return [...number(8 * key + 2), ...number(bytes.length), ...bytes];
}

const dimension = field(1, [field(1, SIZE)]);
const type = field(1, [field(1, 1), field(2, [dimension, dimension])]); // of 32-bit floats
const matrix = (name) => [field(1, name), field(2, [type])];
const node = [field(1, "a"), field(1, "b"), field(2, "product"), field(4, "MatMul")];
const graph = [field(1, node), field(2, "graph"), field(11, matrix("a")), field(11, matrix("b")), field(12, matrix("product"))];

export const model = Uint8Array.from([field(1, 8), field(7, graph), field(8, [field(2, 13)])].flat());

/** Multiplies twenty times, in a session of the model; returns what stands in a corner of the product. */
export async function multiply(Tensor, session) {
  const tensor = (at) => new Tensor("float32", Float32Array.from({ length: SIZE * SIZE }, (_, i) => at(i)), [SIZE, SIZE]);
  const feeds = { a: tensor((i) => i % 3), b: tensor((i) => i % 5) };
  let product;
  for (let i = 0; i < 20; ++i) ({ product } = await session.run(feeds));
  return product.data.slice(0, 3).join();
}
