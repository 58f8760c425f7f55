/* SPDX-License-Identifier: Apache-2.0 */
/** The operating system's message, without the code and the call that Node adds. */
export function systemMessage(error) {
  return /^[A-Z0-9]+: (.*?)(, \w+.*)?$/.exec(error.message)?.[1] ?? error.message;
}
