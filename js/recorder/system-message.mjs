/* SPDX-License-Identifier: Apache-2.0 */
/** What the operating system said, without the code and the call that Node puts around it. */
export function systemMessage(error) {
  return /^[A-Z0-9]+: (.*?)(, \w+.*)?$/.exec(error.message)?.[1] ?? error.message;
}
