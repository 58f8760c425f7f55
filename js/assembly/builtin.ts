// SPDX-License-Identifier: Apache-2.0
// What the host provides. A function that is only declared is imported from a module called as its
// file is: this one's name is a part of the interface.

/** Begins a section whose name is so many bytes of UTF-8. */
export declare function beginSection(name: usize, length: usize): void;
/** Ends the innermost section. */
export declare function endSection(): void;
