// SPDX-License-Identifier: Apache-2.0
// Unpacks the page's data (format: PagePayload.h). Numbers are doubles: those above 2^53 are rounded.

// Decodes the contents of an element, which are base64 of gzip.
export async function unpack(id) {
  const text = atob(document.getElementById(id).textContent);
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function readPayload(bytes) {
  const decoder = new TextDecoder();
  let at = 0;
  const number = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const part = () => {
    const length = number();
    at += length;
    return decoder.decode(bytes.subarray(at - length, at));
  };
  const texts = JSON.parse(part());
  const columns = new Map();
  while (at < bytes.length) {
    const name = part();
    const column = new Float64Array(number());
    for (let i = 0; i < column.length; ++i) column[i] = number();
    columns.set(name, column);
  }
  return { texts, columns };
}

// Returns { texts, columns }; columns are arrays by name.
export async function readData(id = "warpo-data") {
  return readPayload(await unpack(id));
}
