// QuickJS, compiled with Asyncify, runs a program that calls a function of its host: node quickjs-asyncify.mjs at-once|later.
// The function returns at once, or the program waits for a promise. In the end three contexts run at a time.
import { newQuickJSAsyncWASMModule } from "quickjs-emscripten";

const later = process.argv[2] === "later";
let turns = 0;
const answer = async (number) => {
  for (let turn = 0; turn < ++turns % 5; ++turn) await null;
  return number * 2;
};

async function run(factor) {
  const module = await newQuickJSAsyncWASMModule();
  const context = module.newContext();
  const reply = (handle) => context.newNumber(handle);
  const double = later
    ? context.newAsyncifiedFunction("double", async (handle) => reply(await answer(context.getNumber(handle))))
    : context.newFunction("double", (handle) => reply(context.getNumber(handle) * 2));
  double.consume((handle) => context.setProp(context.global, "double", handle));
  const result = await context.evalCodeAsync(`
    const fib = (n) => n < 2 ? n : double(fib(n - 1) + fib(n - 2)) / 2;
    [5, 3, 4].map((n) => fib(n) + double(${factor})).join()`);
  console.log(context.unwrapResult(result).consume(context.dump));
  context.dispose();
}

await run(1);
await Promise.all([2, 3, 4].map(run));
