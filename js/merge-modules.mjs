// SPDX-License-Identifier: Apache-2.0
// At build time: makes one file of a script and all that it imports of this package, which a thread loads faster than
// a file for each module.
//
//   node merge-modules.mjs SCRIPT FOLDER/NAME
//
// writes FOLDER/NAME. SCRIPT's imports are resolved in FOLDER, which has the package's other files. The forms of
// `import` and `export` that these use are known; any other is an error. What a module imports of Node is what it was
// when the module was evaluated, even if a program replaces it later.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";

const IMPORT = /^import ([^"']*) from "([^"]*)";$/gm;
const LATER = /\bimport\("(\.[^"]*)"\)/g;
const DECLARED = /^export ((?:async )?(?:function\*?|class|const) (\w+))/gm;
const TAKEN_APART = /^export (const \{([^}]*)\})/gm;
const HANDED_ON = /^export \{([^}]*)\} from "([^"]*)";$/gm;

const [script, output] = process.argv.slice(2).map((path) => resolve(path));
const folder = dirname(output);

/** `a, b as c`: [["a", "a"], ["b", "c"]] */
const pairsOf = (list) =>
  list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item) => item.split(" as "))
    .map(([name, alias = name]) => [name, alias]);

const modules = new Map(); // by path: { name, text, isOpen }, after those that they import

/** What `name` has, as an expression, for a module of the folder `from`. */
function namespaceOf(name, from) {
  return name.startsWith(".") ? `${nameOf(resolve(from, name))}()` : `nodeModule("${name}")`;
}

/** A declaration with what `import WHAT from` declares. */
function declarationOf(what, namespace) {
  const all = /^\* as (\w+)$/.exec(what);
  if (all) return `const ${all[1]} = ${namespace};`;
  const [, ownName, list = ""] = /^(?:(\w+)(?:, )?)?(?:\{([^}]*)\})?$/.exec(what.replace(/\s+/g, " ")) ?? fail(`import ${what}`);
  const items = pairsOf(list).map(([name, alias]) => (name === alias ? name : `${name}: ${alias}`));
  // Only what is Node's has one.
  const own = ownName ? `${ownName} = ${namespace}, ` : "";
  return `const ${own}{ ${items.join(", ")} } = ${namespace};`;
}

function fail(what) {
  throw new Error(`merge-modules: cannot read '${what}'`);
}

/** The text of a module without its imports and exports, and what it exports, as members of an object. */
function transform(path, text) {
  const from = dirname(path);
  const members = [];
  const declare = (_, declaration, name) => (members.push(name), declaration);
  const own = `new URL(${JSON.stringify(`./${relative(folder, path)}`)}, import.meta.url).href`;
  const body = text
    .replaceAll("import.meta.url", own)
    .replace(IMPORT, (_, what, name) => declarationOf(what, namespaceOf(name, from)))
    .replace(HANDED_ON, (_, list, name) => {
      const namespace = namespaceOf(name, from);
      members.push(...pairsOf(list).map(([name, alias]) => `${alias}: ${namespace}.${name}`));
      return "";
    })
    .replace(LATER, (_, name) => `Promise.resolve().then(${nameOf(resolve(from, name))})`)
    .replace(TAKEN_APART, (_, declaration, list) => (members.push(...pairsOf(list).map(([name]) => name)), declaration))
    .replace(DECLARED, declare);
  const rest = /^(import|export) .*/m.exec(body);
  if (rest) fail(`${path}: ${rest[0]}`);
  return { body, members };
}

/** The function that evaluates a module, once, and returns what it exports. */
function nameOf(path) {
  const known = modules.get(path);
  if (known?.isOpen) throw new Error(`merge-modules: ${path} imports itself`);
  if (known) return known.name;
  const name = `load_${relative(folder, path).replace(/\.mjs$/, "").replace(/\W/g, "_")}`;
  const module = { name, isOpen: true };
  modules.set(path, module);
  const { body, members } = transform(path, readFileSync(path, "utf8"));
  modules.delete(path);
  modules.set(path, { name, text: `const ${name} = once((() => {\n${body}\nreturn { ${members.join(", ")} };\n}));\n` });
  return name;
}

const { body } = transform(output, readFileSync(script, "utf8"));
const HEAD = `// Made at build time: merge-modules.mjs.
import { createRequire } from "node:module";
const nodeModule = createRequire(import.meta.url);
const once = (make) => { let made; return () => (made ??= make()); };
`;
// Functions in parentheses are compiled at once, not first looked through.
writeFileSync(output, [HEAD, ...[...modules.values()].map(({ text }) => text), body].join("\n"));
