//===- NameRewriter.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NameRewriter.h"
#include "EntrySorter.h"
#include "warpo/Wasm/FunctionNames.h"
#include "warpo/Wasm/NameSection.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

// The reader has checked the indices. Names are in the order of indices: those of added imports
// come before the first defined function, those of added functions last.
void NameRewriter::rewriteFunctions(ByteCursor &cursor) {
  uint32_t count = readCount(cursor);
  writer_.uleb(uint64_t(count) + additions_.imports.size() + additions_.namedFunctions());
  EntrySorter sorter(writer_);
  bool importsWritten = false;
  auto writeImports = [&] {
    importsWritten = true;
    for (uint32_t i = 0; i != additions_.imports.size(); ++i) {
      writer_.uleb(indices_.function(FunctionRef{FunctionRef::addedImport, i}));
      writer_.name(additions_.imports[i].module + "." + additions_.imports[i].name);
    }
  };
  for (uint32_t i = 0; i < count && cursor.ok(); ++i) {
    uint32_t function = cursor.uleb32();
    if (!importsWritten && !module_.isImported(function))
      writeImports();
    sorter.begin(indices_.function(function));
    writer_.uleb(indices_.function(function));
    writer_.name(cursor.sizedString());
  }
  if (additions_.permutation)
    sorter.finish();
  if (!importsWritten)
    writeImports();
  for (uint32_t i = 0; i != additions_.thunks.size(); ++i) {
    writer_.uleb(indices_.thunk(i));
    uint32_t imported = additions_.thunks[i];
    bool traces = additions_.untraced.empty() || !additions_.untraced[imported];
    writer_.name(module_.nameOfImport(imported) + (traces ? " (traced)" : " (left out)"));
  }
  if (!additions_.referenced.empty()) {
    FunctionNames names(module_);
    for (auto [i, function] : enumerate(additions_.referenced)) {
      writer_.uleb(indices_.referenceThunk(uint32_t(i)));
      writer_.name(names[function] + byReferenceSuffix.str());
    }
  }
  for (auto [i, function] : enumerate(additions_.functions)) {
    writer_.uleb(indices_.addedFunction(uint32_t(i)));
    writer_.name(function.name);
  }
}

std::vector<uint32_t> NameRewriter::labelsOf(uint32_t function) const {
  if (!labels_ || module_.isImported(function))
    return {};
  uint32_t firstBody = module_.importedFunctionCount() + uint32_t(additions_.imports.size());
  return labels_->labelsOf(function, indices_.function(function) - firstBody);
}

void NameRewriter::rewriteByFunction(ByteCursor &cursor, bool labels) {
  Copier copier(cursor, writer_);
  EntrySorter sorter(writer_);
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
    copier.copyPassed();
    const uint8_t *begin = cursor.position();
    uint32_t function = cursor.uleb32();
    if (function >= module_.functionCount())
      return cursor.failAt(begin, "names in function " + Twine(function) +
                                      ", but the module has only " +
                                      Twine(module_.functionCount()));
    sorter.begin(indices_.function(function));
    copier.replace(begin, cursor.position(), function, indices_.function(function));
    std::vector<uint32_t> newIndices;
    if (labels)
      newIndices = labelsOf(function);
    for (uint32_t j = 0, names = readCount(cursor); j < names && cursor.ok(); ++j) {
      begin = cursor.position();
      uint32_t index = cursor.uleb32();
      if (index < newIndices.size())
        copier.replace(begin, cursor.position(), index, newIndices[index]);
      cursor.sizedString();
    }
  }
  copier.copyPassed();
  if (additions_.permutation)
    sorter.finish();
}

void NameRewriter::rewrite(ByteCursor &cursor) {
  while (cursor.ok() && !cursor.atEnd()) {
    uint8_t kind = cursor.u8();
    uint32_t size = cursor.uleb32();
    uint64_t offset = cursor.offset();
    ByteCursor contents(cursor.bytes(size), offset);
    writer_.u8(kind);
    ByteWriter::Part part = writer_.beginPart(size);
    switch (NameKind(kind)) {
    case NameKind::functions:
      rewriteFunctions(contents);
      break;
    case NameKind::locals:
    case NameKind::labels:
      rewriteByFunction(contents, NameKind(kind) == NameKind::labels);
      break;
    default:
      writer_.bytes(contents.bytes(size));
    }
    writer_.endPart(part);
    cursor.adoptFailure(contents);
  }
}
