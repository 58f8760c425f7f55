//===- NameRewriter.h - The name section with new indices -----------------===//

#ifndef WARPO_LIB_WASM_NAMEREWRITER_H
#define WARPO_LIB_WASM_NAMEREWRITER_H

#include "CodeRewriter.h"

namespace warpo::wasm {

class NameRewriter {
public:
  NameRewriter(const Module &module, const ModuleEditor::Additions &additions,
               const IndexMap &indices, const CodeRewriter &code, ByteWriter &writer)
      : module_(module), additions_(additions), indices_(indices), code_(code), writer_(writer) {}

  void rewrite(ByteCursor &cursor);

private:
  void rewriteFunctions(ByteCursor &cursor);
  void rewriteByFunction(ByteCursor &cursor, bool labels);

  const Module &module_;
  const ModuleEditor::Additions &additions_;
  const IndexMap &indices_;
  const CodeRewriter &code_;
  ByteWriter &writer_;
};

} // namespace warpo::wasm

#endif
