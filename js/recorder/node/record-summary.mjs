// SPDX-License-Identifier: Apache-2.0
// What is said of a record when it is closed. `file`: its name in messages.

const MOST_NAMED = 4;

/** Why the record is not complete: sentences. */
export function problemsOf({ error, counts, guestStackProblems, problems }, file) {
  const { lostToBuffer, lostToLimit, lostToFailure, meaningless } = counts;
  const missing = [
    [lostToBuffer, "the buffer was full"],
    [lostToLimit, "the limit was reached"],
    [meaningless, "no function has such an id"],
  ];
  // The words of warpo-run.
  const beside = lostToFailure === 0 ? "how much of the record is missing is unknown" : `${lostToFailure} events lost`;
  return [
    ...(error === undefined ? [] : [`${error}; ${beside}`]),
    ...[...guestStackProblems, ...problems].map((problem) => `${file}: ${problem}`),
    ...missing.filter(([count]) => count > 0).map(([count, reason]) => `${file}: ${count} events are missing: ${reason}`),
  ];
}

/** Intl's way takes long to load. */
const groupDigits = (number) => String(number).replaceAll(/\B(?=(\d{3})+$)/g, ",");

/** What is in the record. `apart`: `[threadId, file]` of each thread with a file of its own. */
export function summaryOf({ eventCount, hasEvents, hasSamples }, { file, apart, isProfiled }) {
  const kinds = hasSamples || isProfiled ? [...(hasEvents ? ["event"] : []), "sample"] : ["event"];
  const nouns = kinds.map((kind) => (eventCount === 1 ? kind : `${kind}s`));
  const what = nouns.join(eventCount === 1 ? " or " : " and ");
  return `recorded ${groupDigits(eventCount)} ${what} to ${file}${besideIt(file, apart)}`;
}

function besideIt(file, apart) {
  if (apart.length === 0) return "";
  const files = apart.slice(0, MOST_NAMED).map(([id]) => `${file}-${id}`);
  if (apart.length > MOST_NAMED) files.push(`and ${apart.length - MOST_NAMED} more`);
  const own = apart.length === 1 ? "thread has a record of its own" : "threads have records of their own";
  return `; ${apart.length} ${own}: ${files.join(", ")}`;
}
