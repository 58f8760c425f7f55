// SPDX-License-Identifier: Apache-2.0
// Reads the code at the entry of instrumented functions, which contains their ids: `i32.const id, call tracePoint`, a
// fuel check with the id, and the other forms in docs/instrumented-module.md.

import { withoutMarks } from "./function-ids.mjs";

const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const LOCAL_TEE = 0x22;
const I32_LOAD = 0x28;
const I32_STORE = 0x36;
/** A bit in the alignment of an access: the index of a memory follows. */
const HAS_MEMORY = 0x40;
const I32_ADD = 0x6a;
const CALL = 0x10;
const RETURN_CALL = 0x12;
const I32_CONST = 0x41;
const GLOBAL_GET = 0x23;
const GLOBAL_SET = 0x24;
const I64_CONST = 0x42;
const I64_EQZ = 0x50;
const I64_GE_S = 0x59;
const I32_AND = 0x71;
const I32_OR = 0x72;
const I32_EQZ = 0x45;
const I32_EQ = 0x46;
const I32_GE_U = 0x4f;
const I32_WRAP_I64 = 0xa7;
const I64_AND = 0x83;
const I64_OR = 0x84;
const SELECT = 0x1b;
const BLOCK = 0x02;
const TRY_TABLE = 0x1f;
const REF = 0x64;
const REF_NULL = 0x63;
const IF = 0x04;
const ELSE = 0x05;
const END = 0x0b;
const DROP = 0x1a;
const TRY = 0x06;

/** Whether the next instructions have these opcodes. Passes them, with their immediate operands. */
function reads(body, opcodes) {
  return opcodes.every((opcode) => {
    if (body.done || body.byte() !== opcode) return false;
    if (opcode === IF) body.byte();
    else if (![I64_EQZ, I64_GE_S, I64_AND, I64_OR, I32_AND, I32_OR, I32_EQZ, I32_EQ, I32_GE_U, I32_ADD, I32_WRAP_I64, ELSE, END, DROP].includes(opcode))
      body.number();
    return true;
  });
}

/**
 * The trace point or check at the begin of a body: its `id` without marks, 0 if there is none, and whether its events
 * have marks.
 */
export function readEntry(body, tracePoint) {
  const marked = readMarkedId(body);
  skipMarker(body);
  const id = readCheck(body) || readFirstExecution(body) || readTracePoint(body, tracePoint, marked);
  // Those of imports are constants.
  return { id: withoutMarks(id), isMarked: marked !== 0 || withoutMarks(id) !== id };
}

/** The id at the beginning of a body that adds the marks of a call to it; 0 if the body does not. */
function readMarkedId(body) {
  const { at } = body;
  if (body.byte() === I32_CONST) {
    const id = body.signed();
    if (reads(body, [GLOBAL_GET, I32_OR, LOCAL_SET, I32_CONST, GLOBAL_SET])) return id;
  }
  body.at = at;
  return 0;
}

/** Passes `i32.const id, drop`, by which heap events find the function on the engine's stack. */
function skipMarker(body) {
  const { at } = body;
  if (readMarker(body).id === 0) body.at = at;
}

/** Like readEntry(), for bodies that begin with `i32.const id, drop`, by which hosts recognise functions. */
export function readMarker(body) {
  const isConstant = body.byte() === I32_CONST;
  const id = isConstant ? body.signed() : 0;
  return { id: isConstant && body.byte() === DROP ? id : 0, isMarked: false };
}

/**
 * Reads the check of the fuel that a function may begin with; returns the id in it, 0 if there is
 * none.
 */
function readCheck(body) {
  const { at } = body;
  if (reads(body, [GLOBAL_GET, GLOBAL_GET, I64_GE_S, IF])) {
    const hasId = body.bytes[body.at] === I32_CONST;
    const id = hasId ? (body.byte(), body.signed()) : 0;
    const rest = [GLOBAL_GET, CALL, GLOBAL_SET, ...(hasId ? [DROP] : []), END];
    if (reads(body, rest)) return id;
  }
  body.at = at;
  return 0;
}

/** Reads the code that reports a function's first execution; returns the reported id, 0 if there is no such code. */
function readFirstExecution(body) {
  const { at } = body;
  const bit = [GLOBAL_GET, I64_CONST, I64_AND, I64_EQZ, IF, GLOBAL_GET, I64_CONST, I64_OR, GLOBAL_SET];
  if (reads(body, bit) && body.byte() === I32_CONST) {
    const id = body.signed();
    const fuel = body.bytes[body.at] === GLOBAL_GET ? [GLOBAL_GET] : [];
    if (reads(body, [...fuel, CALL, I32_CONST, ...fuel, CALL, END])) return id;
  }
  body.at = at;
  return 0;
}

/** The code before a trace point that can be switched off (--switchable). */
const SWITCH = [GLOBAL_GET, I32_WRAP_I64, LOCAL_TEE, I32_CONST, I32_AND, I32_EQZ, IF];

function readTracePoint(body, tracePoint, marked) {
  const { at } = body;
  const isSwitched = reads(body, SWITCH);
  if (!isSwitched) body.at = at;
  const mayStore = skipRoomCheck(body);
  if (body.byte() !== (marked ? LOCAL_GET : I32_CONST)) return 0;
  const id = marked ? (body.number(), marked) : body.signed();
  let opcode = body.byte();
  if (opcode === GLOBAL_GET) {
    body.number(); // the fuel
    opcode = body.byte();
  }
  const isCall = opcode === CALL && body.number() === tracePoint;
  const isEntry = isCall && (!mayStore || skipStore(body)) && (!isSwitched || body.byte() === END);
  return isEntry ? id : 0;
}

/** Skips the code before a trace point that may store its event itself (--events-in=memory); false for other code. */
function skipRoomCheck(body) {
  const { at } = body;
  const loads = () => reads(body, [I32_CONST]) && skipAccess(body, I32_LOAD);
  const isThere = loads() && reads(body, [LOCAL_TEE]) && loads() && reads(body, [I32_GE_U, IF]);
  if (!isThere) body.at = at;
  return isThere;
}

/** Passes the code behind its call, which stores the event; in functions that call nothing it keeps the next one's address. */
function skipStore(body) {
  const { at } = body;
  const keepsNext = reads(body, [I32_CONST]) && skipAccess(body, I32_LOAD) && reads(body, [LOCAL_SET]);
  if (!keepsNext) body.at = at;
  return (
    reads(body, [ELSE, LOCAL_GET]) &&
    skipId(body) &&
    skipAccess(body, I32_STORE) &&
    reads(body, [I32_CONST, LOCAL_GET, I32_CONST, I32_ADD, ...(keepsNext ? [LOCAL_TEE] : [])]) &&
    skipAccess(body, I32_STORE) &&
    reads(body, [END])
  );
}

/** Passes an access of a memory; false for other instructions. */
function skipAccess(body, opcode) {
  if (body.byte() !== opcode) return false;
  if (body.number() & HAS_MEMORY) body.number();
  body.number();
  return true;
}

/** Passes an id or the read of the variable that contains it; false for other instructions. */
function skipId(body) {
  const opcode = body.byte();
  if (opcode !== I32_CONST && opcode !== LOCAL_GET) return false;
  body.signed();
  return true;
}

/**
 * The function that a body calls and does nothing else, behind its entry: that of an import whose
 * calls are traced. Else `undefined`.
 */
export function calledFirst(body, added) {
  skipRestOfEntry(body, added);
  skipKeptCall(body);
  const { at } = body;
  if (!reads(body, [GLOBAL_GET, LOCAL_SET, GLOBAL_GET, I32_CONST, I32_AND, GLOBAL_SET])) body.at = at;
  while (!body.done) {
    const opcode = body.byte();
    if (opcode === CALL || opcode === RETURN_CALL) return body.number();
    if (opcode === LOCAL_GET) body.number();
    else if (opcode === IF || !skipBlockHead(body, opcode)) return undefined;
  }
  return undefined;
}

/**
 * Passes further code at an entry: other checks, and `i32.const id, call` of functions that
 * instrumenting added, or `local.get` instead of the constant.
 */
function skipRestOfEntry(body, added) {
  for (;;) {
    readCheck(body);
    readFirstExecution(body);
    const { at } = body;
    const mayStore = skipRoomCheck(body);
    if (skipId(body) && body.byte() === CALL && added.has(body.number()) && (!mayStore || skipStore(body))) continue;
    body.at = at;
    return;
  }
}

/** Passes the code that writes a call to a stack in the module's memory (--heap-stack=memory). */
function skipKeptCall(body) {
  const { at } = body;
  const keeps = reads(body, [GLOBAL_GET, LOCAL_TEE, I32_CONST, I32_AND, I32_CONST]) && skipAccess(body, I32_STORE);
  if (!keeps || !reads(body, [LOCAL_GET, I32_CONST, I32_ADD, GLOBAL_SET, GLOBAL_GET, CALL])) body.at = at;
}

/**
 * `{ index, reportsTraps }` of the function that this body replaces in references: the body marks the call or looks for
 * traps, and then calls it. Undefined for other bodies.
 */
export function readReferenced(body, added) {
  const { at } = body;
  const marks = reads(body, [I32_CONST, GLOBAL_SET]);
  if (!marks) body.at = at;
  const behindMarks = body.at;
  const looksForTraps = reads(body, [GLOBAL_GET, LOCAL_SET, LOCAL_GET, I32_CONST, I32_AND]);
  if (!looksForTraps) body.at = behindMarks;
  const index = looksForTraps ? calledBehindTraps(body, added) : marks ? calledFirst(body, added) : undefined;
  body.at = at;
  return index === undefined ? undefined : { index, reportsTraps: looksForTraps };
}

/** The function that such a body calls after the one that reports traps. */
function calledBehindTraps(body, added) {
  let called;
  let calls = 0;
  while (!body.done && calls < 2) {
    const opcode = body.byte();
    if (opcode === RETURN_CALL) return body.number();
    if (opcode === CALL) {
      const callee = body.number();
      if (added.has(callee)) continue;
      called = callee;
      ++calls;
    } else if ([I32_CONST, LOCAL_GET, LOCAL_SET, GLOBAL_GET, GLOBAL_SET].includes(opcode)) {
      body.signed();
    } else if (!skipBlockHead(body, opcode) && ![I32_AND, I32_OR, I32_EQ, I32_EQZ, I32_ADD, ELSE, SELECT, END].includes(opcode)) {
      return undefined;
    }
  }
  return called;
}

/** Passes the operands of the opcode of a block; false for other opcodes. */
function skipBlockHead(body, opcode) {
  if (![IF, TRY, BLOCK, TRY_TABLE].includes(opcode)) return false;
  const type = body.bytes[body.at];
  if (type === REF || type === REF_NULL) body.byte();
  body.signed();
  if (opcode === TRY_TABLE) body.slice(3); // one clause
  return true;
}
