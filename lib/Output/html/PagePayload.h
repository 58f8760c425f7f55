//===- PagePayload.h - The data inside a report's page --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   payload := base64(gzip(part column*))
//   part    := length byte*                      texts as JSON, see writeTexts
//   column  := part(its name) count number*
//
// Lengths, counts and numbers are unsigned LEB128. 50 000 contexts with two weights need about
// 200 KB. report/data.js reads it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_HTML_PAGEPAYLOAD_H
#define WARPO_OUTPUT_HTML_PAGEPAYLOAD_H

#include "../profile/ContextList.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace warpo {

class PagePayload {
public:
  /// `writeTexts` writes the members of one JSON object, in UTF-8.
  explicit PagePayload(llvm::function_ref<void(llvm::json::OStream &)> writeTexts);

  void beginColumn(const llvm::Twine &name, size_t count);
  /// To be called `count` times after beginColumn.
  void add(uint64_t number);
  void addColumn(const llvm::Twine &name, llvm::ArrayRef<uint64_t> numbers);

  /// Fails only for lack of memory.
  llvm::Expected<std::string> encode() const;

private:
  void addPart(llvm::StringRef text);

  std::string bytes_;
};

/// Compresses with gzip and encodes as base64.
llvm::Expected<std::string> packForPage(llvm::StringRef bytes);

/// Writes `functions`: for each frame its name, module, file, line, the URL of that location, the
/// functions inlined into it, and the CSS classes of its colour.
void writeFunctions(llvm::ArrayRef<Frame> frames, const SourceUrl &sourceUrl,
                    llvm::json::OStream &json);

} // namespace warpo

#endif
