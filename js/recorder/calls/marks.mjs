// SPDX-License-Identifier: Apache-2.0
// Marks among the events of a thread: they say to which stack the next events belong.
//
// A task is a stack beside the thread's own: a call that JavaScript Promise Integration may suspend
// (WebAssembly.promising). It first runs within the call that began it and, after each suspension, from microtasks.
// Tasks are numbered.
//
// Code that switches stacks by itself reports the number of the stack that it leaves and of the one that it enters
// (switched-stacks.mjs).
//
// Asyncify unwinds and rewinds stacks of any kind; unwound stacks have numbers of their own.

/** Kinds of entries, as in recorder.wat.in. */
export const ENTRY = {
  event: 0,
  loss: 1,
  enter: 2,
  /** The call that began the task returns to its caller: the task has ended or is suspended. */
  leave: 3,
  /** An imported function returns a promise: the task will be suspended if it can be. */
  suspend: 4,
  /** The promise is settled: the task resumes. */
  resume: 5,
  /** The resumed task has ended or is suspended again. */
  back: 6,
  /** The thread is back in its event loop, with no open call on its own stack. */
  rest: 7, // with a number: the calls that are open have lasted until now
  /** The current stack is being unwound (asyncify.mjs): its calls return but have not ended. */
  unwind: 8,
  unwound: 9,
  /** A stack is being rewound: its calls are entered again and continue. */
  rewind: 10,
  rewound: 11,
  /** The current stack may be switched away from; it keeps the given number while it waits (recorder.wat.in). */
  leaveStack: 12,
  /** The stack with this number runs again. */
  enterStack: 13,
  /** The task that resumes next waited for the end of this one. */
  cause: 14,
  /** The recorder used the thread since the previous event. */
  recorded: 15,
  /** The time of the entries behind it (Entries). */
  time: 16,
  /** The engine makes an instance, within as many others as the number says, and calls its start function. */
  start: 17,
  /** The start function has ended, and so have all calls that are still open within it. */
  started: 18,
  /** A trap has ended all calls of the current stack but the outermost ones, as many as the number says. */
  trapped: 19,
  /** Several instances of a module run from here on; the number is that of streams.c. */
  twins: 20,
};

/** Makes the marks of start functions; `mark(kind, number)` stores one, and returns whether there was room. */
export class StartMarks {
  #mark;
  #level = 0; // those that run

  constructor(mark) {
    this.#mark = mark;
  }

  /** Calls `make`, by which the engine calls a start function, and returns its result. */
  around(make) {
    const isMarked = this.#mark(ENTRY.start, this.#level);
    ++this.#level;
    try {
      return make();
    } finally {
      --this.#level;
      if (isMarked) this.#mark(ENTRY.started, this.#level);
    }
  }
}

/** Makes the marks of tasks; `mark(kind, number)` stores one. */
export class TaskMarks {
  mark;
  #running = []; // innermost last: { number, wait, hasEnded }
  #count = 0;

  constructor(mark) {
    this.mark = mark;
  }

  /** Begins and returns a task. */
  enter() {
    const task = { number: ++this.#count, wait: undefined, hasEnded: false };
    this.#running.push(task);
    this.mark(ENTRY.enter, task.number);
    return task;
  }

  leave(task) {
    this.#running.pop();
    this.mark(ENTRY.leave, task.number);
    this.#await(task);
  }

  get hasTask() {
    return this.#running.length > 0;
  }

  /**
   * The current task is about to be suspended, until `other` ends if that is a task. Calls `hasBegun()` once it is
   * suspended.
   */
  suspend(hasBegun, other) {
    const task = this.#running.at(-1);
    // A task that has already ended resumes no other.
    task.wait = { task, isOver: false, hasBegun, other: other?.hasEnded ? undefined : other };
    this.mark(ENTRY.suspend, task.number);
    return task.wait;
  }

  /** Call in the microtask before the one in which the engine resumes the task. */
  resume(wait) {
    // The task could not be suspended and is waiting for something else by now.
    if (wait.task.wait !== wait) return;
    wait.isOver = true;
    wait.task.wait = undefined;
    this.#running = [wait.task];
    if (wait.other !== undefined) this.mark(ENTRY.cause, wait.other.number);
    this.mark(ENTRY.resume, wait.task.number);
  }

  /** Call in the microtask after the one in which the engine resumed the task. */
  back(wait) {
    if (!wait.isOver) return;
    this.#running = [];
    this.mark(ENTRY.back, wait.task.number);
    this.#await(wait.task);
  }

  #await(task) {
    if (task.wait === undefined) task.hasEnded = true;
    else task.wait.hasBegun();
  }
}
