// SPDX-License-Identifier: Apache-2.0
// What the host provides. A declared function is imported from the module named like its file, so this file's name is
// part of the interface.

/** Begins a section with a name of `length` bytes of UTF-8. */
export declare function beginSection(name: usize, length: usize): void;
export declare function endSection(): void;
