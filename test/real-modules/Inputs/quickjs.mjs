import { getQuickJS } from "quickjs-emscripten";
const QuickJS = await getQuickJS();
const run = (code) => console.log(JSON.stringify(QuickJS.evalCode(code)));
run("const fib = (n) => n < 2 ? n : fib(n - 1) + fib(n - 2); fib(15)");
run("[3, 1, 2].sort().map((x) => x ** 2).join('-')");
run("/(\\d+)-(\\w+)/.exec('see 42-abc').slice(1)");
run("JSON.stringify({ a: [1, { b: null }] })");
try { QuickJS.evalCode("null.x"); } catch (error) { console.log(error.message); }
