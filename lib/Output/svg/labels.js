// SPDX-License-Identifier: Apache-2.0
// What flame graphs do with names, in pictures and in pages: cut them to the room there is, and search in them.

// Text cut so that it fits a width in pixels; nothing if hardly any of it does.
export function fit(text, width, perCharacter) {
  const room = Math.floor(width / perCharacter);
  // A character has one or two units: no name is taken apart whose cut is certain to be near its beginning.
  const characters = Array.from(text.slice(0, 2 * Math.max(room, 0) + 2));
  if (characters.length <= room) return text;
  return room < 3 ? "" : characters.slice(0, room - 1).join("") + "…";
}

// What many functions are called: operators, lambdas, closures.
const isCommon = (name) => /^(operator\b|\$_|[{<'])/.test(name);

// A name without the file or namespace that it begins with. Arguments and type parameters may hold paths of other
// things.
function withoutGroup(name) {
  const plain = name.split(/[<(]/, 1)[0];
  for (const separator of ["/", "::", "#", "."]) {
    let end = plain.lastIndexOf(separator);
    while (end > 0 && isCommon(name.slice(end + separator.length))) end = plain.lastIndexOf(separator, end - 1);
    if (end > 0) return name.slice(end + separator.length);
  }
  return name;
}

// The end of a name says more than its beginning.
export function fitName(name, width, perCharacter) {
  const whole = fit(name, width, perCharacter);
  return whole === name || !whole ? whole : fit(withoutGroup(name), width, perCharacter);
}

// Whether a name is searched for: by a part of it, or by /a regular expression/.
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
