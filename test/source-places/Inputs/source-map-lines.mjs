// usage: source-map-lines.mjs MODULE MAP: of each byte of the module's functions, from the first one of a function that the map has an
// entry for, what npm's source-map says: its offset in the file, and line and source, as often as the map says something of the place.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { SourceMapConsumer } from "source-map";

const [moduleFile, mapFile] = process.argv.slice(2);
const bytes = readFileSync(moduleFile);
let at = 8;
const u = () => {
  for (let value = 0, shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return value;
  }
};
const bodies = [];
while (at < bytes.length) {
  const id = bytes[at++];
  const size = u();
  const end = at + size;
  if (id === 10)
    for (let count = u(); count > 0; --count) {
      const size = u();
      bodies.push([at, at + size]);
      at += size;
    }
  at = end;
}
// There are maps from which sources have been taken out, whose entries still refer to them; the library refuses them.
const json = JSON.parse(readFileSync(mapFile, "utf8"));
const REMOVED = "removed/";
// What asc takes for a folder is the module.
if (json.sourceRoot === `./${basename(moduleFile, ".wasm")}`) delete json.sourceRoot;
json.sources.push(...Array.from({ length: 1000 }, (_, number) => REMOVED + number));
const textOf = (source, line) => (source === null || source.startsWith(REMOVED) ? "0\t" : `${line}\t${source}`);
await SourceMapConsumer.with(json, null, (map) => {
  const entries = [];
  const places = new Map();
  map.eachMapping(({ generatedColumn, source, originalLine }) => {
    entries.push(generatedColumn);
    places.set(generatedColumn, [...(places.get(generatedColumn) ?? []), textOf(source, originalLine)]);
  });
  const lines = [];
  let next = 0;
  for (const [begin, end] of bodies) {
    while (next < entries.length && entries[next] < begin) ++next;
    let known;
    for (let offset = entries[next]; offset < end; ++offset) {
      known = places.get(offset) ?? known;
      const { source, line } = map.originalPositionFor({ line: 1, column: offset });
      if (!known.includes(textOf(source, line))) throw new Error(`at ${offset}: ${line} ${source}`);
      lines.push(`${[offset, ...known].join("\t")}\n`);
    }
  }
  process.stdout.write(lines.join(""));
});
