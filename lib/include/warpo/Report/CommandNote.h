//===- CommandNote.h - A note of a table that is a command ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A table that is shown to other people says which command makes it again: in a note that begins
// with `$ `. Formats for documents show the command; those for terminals omit it, as the user has
// just typed it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_REPORT_COMMANDNOTE_H
#define WARPO_REPORT_COMMANDNOTE_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warpo {

inline std::string commandNote(llvm::StringRef command) { return "$ " + command.str(); }

/// Nothing if the note is a sentence.
inline std::optional<llvm::StringRef> commandIn(llvm::StringRef note) {
  return note.consume_front("$ ") ? std::optional(note) : std::nullopt;
}

} // namespace warpo

#endif
