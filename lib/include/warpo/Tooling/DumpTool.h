//===- DumpTool.h - The work of warpo-record-dump -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_DUMPTOOL_H
#define WARPO_TOOLING_DUMPTOOL_H

#include "warpo/Tooling/ReadingTool.h"
#include <string>
#include <vector>

namespace warpo {

struct DumpRequest {
  /// At least one; several are joined. Records and output may be `-`.
  std::vector<std::string> records;
  std::string output;
  /// A name in the registry of record formats.
  std::string format;
  /// Only entries of these modules (ids, or names in the mapping or the record); empty: all.
  std::vector<std::string> modules;
  /// Only entries of functions whose names match one of these patterns; empty: all.
  std::vector<std::string> functions;
  /// Only for a format that supports it.
  bool compress = false;
  /// Whether to demangle C++ and Rust names, in formats that are not read as records again.
  bool demangle = true;
};

/// Writes the entries in the format. Without a window and with the slicer `calls`, these are the
/// record's entries; otherwise they are made from events, so that a piece of a record is properly
/// nested.
llvm::Expected<ToolResult> dumpRecord(const DumpRequest &request, const ReadingOptions &options);

/// Writes a summary of the window.
llvm::Expected<ToolResult> summarizeRecord(const DumpRequest &request,
                                           const ReadingOptions &options);

/// Adds the contents of the file `.live` to the record of a killed process.
llvm::Expected<ToolResult> recoverRecord(llvm::StringRef record);

/// Reports every violation of a record's rules; the result is `damaged` if there is one.
llvm::Expected<ToolResult> verifyRecord(const DumpRequest &request, const ReadingOptions &options);

} // namespace warpo

#endif
