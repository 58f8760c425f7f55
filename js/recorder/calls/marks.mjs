// SPDX-License-Identifier: Apache-2.0
// Marks among the events of a thread: which stack the events that follow belong to.
//
// A task is a stack beside the thread's own: that of a call which JavaScript Promise Integration may suspend
// (WebAssembly.promising). It runs within the call that began it and, once it has been suspended, from microtasks. Tasks are numbered.
//
// Code that switches stacks by itself says which one it leaves, by a number, and which one runs again (switched-stacks.mjs).
//
// Asyncify unwinds and rewinds any stack; those that have been unwound have numbers of their own.

/** The kind of an entry: recorder.wat.in. */
export const ENTRY = {
  event: 0,
  loss: 1,
  /** A task begins. */
  enter: 2,
  /** The call that began the task returns to its caller: the task has ended, or it is suspended. */
  leave: 3,
  /** An imported function that suspends returns: the task will be suspended, unless it cannot be. */
  suspend: 4,
  /** The promise is settled: the task goes on. */
  resume: 5,
  /** The task has ended, or is suspended again. */
  back: 6,
  /** The thread's event loop runs: no call is open on its own stack. */
  rest: 7,
  /** The current stack is unwound (asyncify.mjs): its calls return, and will go on. */
  unwind: 8,
  unwound: 9,
  /** A stack is rewound: its calls are made again, and go on. */
  rewind: 10,
  rewound: 11,
  /** The current stack may be left for another one, and waits under a number of its own: recorder.wat.in. */
  leaveStack: 12,
  /** The stack with this number runs again. */
  enterStack: 13,
  /** The task that is resumed next waited for the end of this one. */
  cause: 14,
  /** Since the event before, the recorder had the thread. */
  recorded: 15,
};

/** Makes the marks of tasks: `mark(kind, number)` stores one. */
export class TaskMarks {
  mark;
  #running = []; // innermost last: { number, wait }
  #count = 0;

  constructor(mark) {
    this.mark = mark;
  }

  /** A task begins, and is returned. */
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

  /** The current task is about to be suspended: what it waits for, the end of `other` if that is a task. `hasBegun()` is called as soon as it is. */
  suspend(hasBegun, other) {
    const task = this.#running.at(-1);
    // One that has ended before resumes no task.
    task.wait = { task, isOver: false, hasBegun, other: other?.hasEnded ? undefined : other };
    this.mark(ENTRY.suspend, task.number);
    return task.wait;
  }

  /** Runs in the microtask before the one in which the engine resumes the task. */
  resume(wait) {
    // Where a task could not be suspended, it waits for something else meanwhile.
    if (wait.task.wait !== wait) return;
    wait.isOver = true;
    wait.task.wait = undefined;
    this.#running = [wait.task];
    if (wait.other !== undefined) this.mark(ENTRY.cause, wait.other.number);
    this.mark(ENTRY.resume, wait.task.number);
  }

  /** Runs in the microtask after that one. */
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
