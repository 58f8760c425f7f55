//===- DumpTool.h - What warpo-record-dump does ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_DUMPTOOL_H
#define WARPO_TOOLING_DUMPTOOL_H

#include "warpo/Tooling/ReadingTool.h"
#include <string>
#include <vector>

namespace warpo {

struct DumpRequest {
  /// At least one; several become one. They and where the dump goes may be `-`.
  std::vector<std::string> records;
  std::string output;
  /// A name of the registry of record formats.
  std::string format;
  /// Only entries of these modules (an id, or a name of the mapping or the record); empty: all.
  std::vector<std::string> modules;
  /// Only entries of functions whose names match one of these patterns; empty: all.
  std::vector<std::string> functions;
  /// Only for a format that can.
  bool compress = false;
  /// Names of C++ and Rust as in their source, in formats that are not read as records again.
  bool demangle = true;
};

/// Writes the entries in the format. Without a window and with the slicer `calls` they are those of
/// the record; else they are made of the events, so that what is cut out of a record is nested.
llvm::Expected<ToolResult> dumpRecord(const DumpRequest &request, const ReadingOptions &options);

/// Writes a summary of the window.
llvm::Expected<ToolResult> summarizeRecord(const DumpRequest &request,
                                           const ReadingOptions &options);

/// Adds to the record of a killed process what its file `.live` holds.
llvm::Expected<ToolResult> recoverRecord(llvm::StringRef record);

/// Writes every breach of the rules; damaged if there is one.
llvm::Expected<ToolResult> verifyRecord(const DumpRequest &request, const ReadingOptions &options);

} // namespace warpo

#endif
