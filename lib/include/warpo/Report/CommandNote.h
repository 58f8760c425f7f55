//===- CommandNote.h - A note of a table that is a command ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A table that is shown to others says how to make it again. It is a note that begins with `$ `,
// which forms for others show to be pasted; who reads a terminal has just written it.
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
