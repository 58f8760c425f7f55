//===- NameRewriter.h - The name section with new indices -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_NAMEREWRITER_H
#define WARPO_LIB_WASM_NAMEREWRITER_H

#include "CodeRewriter.h"

namespace warpo::wasm {

class NameRewriter {
public:
  NameRewriter(const Module &module, const ModuleEditor::Additions &additions,
               const IndexMap &indices, llvm::ArrayRef<uint8_t> addedLabels, ByteWriter &writer)
      : module_(module), additions_(additions), indices_(indices), addedLabels_(addedLabels),
        writer_(writer) {}

  void rewrite(ByteCursor &cursor);

private:
  void rewriteFunctions(ByteCursor &cursor);
  void rewriteByFunction(ByteCursor &cursor, bool labels);

  const Module &module_;
  const ModuleEditor::Additions &additions_;
  const IndexMap &indices_;
  llvm::ArrayRef<uint8_t> addedLabels_;
  ByteWriter &writer_;
};

} // namespace warpo::wasm

#endif
