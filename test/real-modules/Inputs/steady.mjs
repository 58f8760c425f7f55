// What a program does must not depend on the time, on chance, or on when memory is collected.
let now = 1.6e12;
Date.now = () => ++now;
performance.now = () => ++now;
Math.random = () => 0.5;
crypto.getRandomValues = (array) => array.fill(7);
globalThis.FinalizationRegistry = class {
  register() {}
  unregister() {}
};
// Emscripten's programs see the name of the script, and the language.
process.argv[1] = "/program";
Object.defineProperty(globalThis, "navigator", { value: { language: "en", languages: ["en"] } });
