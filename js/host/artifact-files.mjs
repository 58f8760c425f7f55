// SPDX-License-Identifier: Apache-2.0
// Files for what instances have collected themselves.

import { closeSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { openRecordFile } from "../recorder/record/record-file.mjs";
import { systemMessage } from "../recorder/record/system-message.mjs";

/** The file of an artifact beside a record; an artifact without an extension is the record. */
export const fileBeside = (record, extension) =>
  extension === "" ? record : record.slice(0, record.length - extname(record).length) + extension;

function writeFile(file, artifacts) {
  const fd = openRecordFile({ file });
  try {
    for (const { bytes } of artifacts) writeFileSync(fd, bytes);
  } finally {
    closeSync(fd);
  }
}

/**
 * Writes artifacts; those with the same extension are concatenated in one file. `fileOf(extension)` is its path,
 * `taken` a path that is in use (or undefined); `say(text)` reports losses.
 */
export function writeArtifactFiles(artifacts, { fileOf, taken, say }) {
  for (const extension of new Set(artifacts.map((each) => each.extension))) {
    const file = fileOf(extension);
    const here = artifacts.filter((each) => each.extension === extension);
    const [{ format, description }] = here;
    const lose = (what, why) => say(`${file}: ${why}; ${what} is lost`);
    for (const other of here.filter((each) => each.format !== format))
      lose(other.description, `it holds ${description}`);
    try {
      if (file === taken) lose(description, "it is the record");
      else
        writeFile(
          file,
          here.filter((each) => each.format === format),
        );
    } catch (error) {
      lose(description, systemMessage(error));
    }
  }
}
