// SPDX-License-Identifier: Apache-2.0
// Names in flame graphs, for pictures and pages: shortens them to the available width, and searches in them.

// The text, shortened to fit a width in pixels; empty if hardly any of it fits.
export function fit(text, width, perCharacter) {
  const room = Math.floor(width / perCharacter);
  // A character has one or two UTF-16 units. Only the part of a name that can fit is split into characters.
  const characters = Array.from(text.slice(0, 2 * Math.max(room, 0) + 2));
  if (characters.length <= room) return text;
  return room < 3 ? "" : characters.slice(0, room - 1).join("") + "…";
}

// Names that many functions share: operators, lambdas, closures; numbers, and Go's functions in functions.
const isCommon = (name) => /^(operator\b|\$_|[{<']|(func|gowrap|deferwrap)?\d+\b)/.test(name);

// A method's receiver in Go, with its package: `main.(*Queue).` or `(*main.Queue).`
const receiver = /^([^(]*\.)?\([^)]*\)\.(?=.)/;

// The name without its leading file or namespace. Does not look into arguments and type parameters, which may contain
// other paths.
function withoutGroup(name) {
  if (receiver.test(name)) return name.replace(receiver, "");
  const plain = name.split(/[<([]/, 1)[0];
  for (const separator of ["/", "::", "#", "."]) {
    let end = plain.lastIndexOf(separator);
    while (end > 0 && isCommon(name.slice(end + separator.length))) end = plain.lastIndexOf(separator, end - 1);
    if (end > 0) return name.slice(end + separator.length);
  }
  return name;
}

// The end of a name is more informative than its beginning.
export function fitName(name, width, perCharacter) {
  const whole = fit(name, width, perCharacter);
  return whole === name || !whole ? whole : fit(withoutGroup(name), width, perCharacter);
}

// A predicate for a search: by a part of the name, or by /a regular expression/.
export function predicateFor(text) {
  const expression = /^\/(.+)\/$/.exec(text);
  if (expression) {
    try {
      const pattern = new RegExp(expression[1], "i");
      return (name) => pattern.test(name);
    } catch {
      return () => false;
    }
  }
  const wanted = text.toLowerCase();
  return (name) => name.toLowerCase().includes(wanted);
}
