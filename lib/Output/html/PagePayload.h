//===- PagePayload.h - The data inside a report's page --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   payload := base64(gzip(part column*))
//   part    := length byte*                      texts as JSON: see who writes them
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
  /// `writeTexts` writes the members of one JSON object. Text must be UTF-8.
  explicit PagePayload(llvm::function_ref<void(llvm::json::OStream &)> writeTexts);

  void beginColumn(const llvm::Twine &name, size_t count);
  /// To be called `count` times after beginColumn.
  void add(uint64_t number);
  void addColumn(const llvm::Twine &name, llvm::ArrayRef<uint64_t> numbers);

  /// An error only if there is no memory.
  llvm::Expected<std::string> encode() const;

private:
  void addPart(llvm::StringRef text);

  std::string bytes_;
};

/// gzip, then base64: for what a page unpacks.
llvm::Expected<std::string> packForPage(llvm::StringRef bytes);

/// `functions`: of each frame its name, module, file, line, the address of that place, what was
/// inlined, and the classes of its colour.
void writeFunctions(llvm::ArrayRef<Frame> frames, const SourceUrl &sourceUrl,
                    llvm::json::OStream &json);

} // namespace warpo

#endif
