// What JavaScript's own reflection does not tell of a module: the types of its functions and the
// limits of the memories and tables that it imports, and where its start section lies. Reads a
// module that is known to be valid.

const VALUE_TYPES = {
  0x7f: "i32",
  0x7e: "i64",
  0x7d: "f32",
  0x7c: "f64",
  0x7b: "v128",
  0x70: "funcref",
  0x6f: "externref",
};

class Reader {
  constructor(bytes, at, end) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }
  byte() {
    if (this.at >= this.end) throw new Error("a section ends too early");
    return this.bytes[this.at++];
  }
  /** Unsigned LEB128, exact up to 2^53. */
  number() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }
  name() {
    const length = this.number();
    const text = new TextDecoder().decode(this.bytes.subarray(this.at, this.at + length));
    this.at += length;
    return text;
  }
  list(item) {
    return Array.from({ length: this.number() }, () => item());
  }
  limits() {
    const flags = this.byte();
    const initial = this.number();
    const limits = { initial, shared: (flags & 2) !== 0, is64: (flags & 4) !== 0 };
    if (flags & 1) limits.maximum = this.number();
    return limits;
  }
  /** A value type; `undefined` for one that --arg cannot give. */
  valueType() {
    const byte = this.byte();
    if (byte === 0x63 || byte === 0x64) this.number();
    return VALUE_TYPES[byte];
  }
}

function readTypes(reader) {
  const types = [];
  const count = reader.number();
  for (let i = 0; i < count; ++i) {
    // Types of the GC proposal: their shapes are not needed, and whatever follows them cannot be
    // found without.
    if (reader.byte() !== 0x60) return types;
    types.push({
      params: reader.list(() => reader.valueType()),
      results: reader.list(() => reader.valueType()),
    });
  }
  return types;
}

function readImports(reader, found) {
  const count = reader.number();
  for (let i = 0; i < count; ++i) {
    const entry = { module: reader.name(), name: reader.name() };
    const kind = reader.byte();
    if (kind === 0) found.functions.push(reader.number());
    else if (kind === 1)
      found.imports.push({
        ...entry,
        kind: "table",
        element: reader.valueType(),
        limits: reader.limits(),
      });
    else if (kind === 2) found.imports.push({ ...entry, kind: "memory", limits: reader.limits() });
    else if (kind === 3) {
      reader.valueType();
      reader.byte();
    } else {
      reader.byte();
      reader.number();
    }
  }
}

/**
 * `functionType(name)`: `{ params, results }` of an exported function, `undefined` if it cannot be
 * told; `imports`: the tables and memories that the module imports, with their limits; `start`: `{
 * functionIndex, begin, end }` of the start section, if any; `exportSection`: `{ begin, firstEntry,
 * end }`; `exportNames`: in their order. `begin` to `end` is a whole section, with its id and size.
 */
export function readModuleTypes(bytes) {
  const found = {
    types: [],
    functions: [],
    imports: [],
    exports: new Map(),
    start: undefined,
    exportSection: undefined,
  };
  const file = new Reader(bytes, 8, bytes.length);
  while (file.at < file.end) {
    const begin = file.at;
    const id = file.byte();
    const size = file.number();
    const end = file.at + size;
    const section = new Reader(bytes, file.at, end);
    if (id === 1) found.types = readTypes(section);
    else if (id === 2) readImports(section, found);
    else if (id === 3)
      found.functions = found.functions.concat(section.list(() => section.number()));
    else if (id === 7) {
      const count = section.number();
      found.exportSection = { begin, firstEntry: section.at, end };
      for (let i = 0; i < count; ++i)
        found.exports.set(section.name(), [section.byte(), section.number()]);
    } else if (id === 8) found.start = { functionIndex: section.number(), begin, end };
    file.at = end;
  }
  return {
    imports: found.imports,
    start: found.start,
    exportSection: found.exportSection,
    exportNames: [...found.exports.keys()],
    functionType(name) {
      const [kind, index] = found.exports.get(name) ?? [];
      return kind === 0 ? found.types[found.functions[index]] : undefined;
    },
  };
}
