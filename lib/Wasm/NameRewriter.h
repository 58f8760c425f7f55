//===- NameRewriter.h - The name section with new indices -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_NAMEREWRITER_H
#define WARPO_LIB_WASM_NAMEREWRITER_H

#include "Additions.h"
#include "Copier.h"
#include "LabelNames.h"

namespace warpo::wasm {

class NameRewriter {
public:
  /// `labels` may be null: labels keep their numbers.
  NameRewriter(const Module &module, const ModuleEditor::Additions &additions,
               const IndexMap &indices, const LabelMap *labels, ByteWriter &writer)
      : module_(module), additions_(additions), indices_(indices), labels_(labels),
        writer_(writer) {}

  void rewrite(ByteCursor &cursor);

private:
  void rewriteFunctions(ByteCursor &cursor);
  std::vector<uint32_t> labelsOf(uint32_t function) const;
  void rewriteByFunction(ByteCursor &cursor, bool labels);

  const Module &module_;
  const ModuleEditor::Additions &additions_;
  const IndexMap &indices_;
  const LabelMap *labels_;
  ByteWriter &writer_;
};

} // namespace warpo::wasm

#endif
