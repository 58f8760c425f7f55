//===- ModuleWriter.cpp - The order of sections ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ModuleWriter.h"
#include "CustomSections.h"
#include "NameRewriter.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/HugePages.h"
#include "warpo/Wasm/CustomSectionWriter.h"
#include <climits>
#include <cstring>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

bool ModuleWriter::isNeeded(SectionId id) const {
  switch (id) {
  case SectionId::type:
    return !additions_.types.empty();
  case SectionId::import:
    return !additions_.imports.empty() || !additions_.importedMemories.empty();
  case SectionId::function:
  case SectionId::code:
    return additions_.addedFunctions() != 0;
  case SectionId::global:
    return additions_.globalCount != 0 || additions_.lastGlobal;
  case SectionId::exports:
    return !additions_.exportedGlobals.empty() || additions_.memory ||
           any_of(additions_.functions, [](const auto &function) { return function.isExported; });
  case SectionId::table:
    return additions_.tableSize != 0;
  case SectionId::memory:
  case SectionId::data:
    return additions_.memory.has_value();
  case SectionId::element:
    return !undeclared_.empty();
  default:
    return false;
  }
}

Error ModuleWriter::endSection(const ByteWriter::Part &part, const Twine &what) {
  if (writer_.endPart(part) <= UINT32_MAX)
    return Error::success();
  return fileError(module_.fileName, what + " would become larger than 4 GB");
}

// Whether added hints of that name replace the module's own.
bool ModuleWriter::hasNewHints(StringRef name) const {
  return any_of(additions_.hints, [&](const auto &added) { return added.name == name; });
}

// Writes needed sections between two ranks, which the original does not have.
Error ModuleWriter::writeMissing(unsigned fromRank, unsigned toRank) {
  // The contents of an empty section.
  static const uint8_t zero[] = {0};
  for (SectionId id : {SectionId::type, SectionId::import, SectionId::function, SectionId::table,
                       SectionId::memory, SectionId::global, SectionId::exports, SectionId::element,
                       SectionId::code, SectionId::data}) {
    unsigned rank = sectionRank(id);
    if (rank > fromRank && rank < toRank && isNeeded(id))
      if (Error error = writeStandard(id, {zero, 0}))
        return error;
  }
  return Error::success();
}

Error ModuleWriter::writeStandard(SectionId id, const ByteRange &contents) {
  writer_.u8(uint8_t(id));
  ByteWriter::Part part = writer_.beginPart(contents.bytes.size());
  ByteCursor cursor = contents.cursor();
  Copier copier(cursor, writer_);
  switch (id) {
  case SectionId::type:
    writeTypes(cursor, copier);
    break;
  case SectionId::import:
    writeImports(cursor, copier);
    break;
  case SectionId::function:
    writeFunctions(cursor, copier);
    break;
  case SectionId::table:
    writeTables(cursor, copier);
    break;
  case SectionId::global:
    writeGlobals(cursor, copier);
    break;
  case SectionId::exports:
    writeExports(cursor, copier);
    break;
  case SectionId::start:
    writeStart(cursor, copier);
    break;
  case SectionId::element:
    writeElements(cursor, copier);
    break;
  case SectionId::code:
    writer_.uleb(module_.bodies.size() + additions_.addedFunctions());
    if (Error error = writeCode(part.begin))
      return error;
    return endSection(part, "the code section");
  case SectionId::memory:
    writeMemories(cursor, copier);
    break;
  case SectionId::dataCount:
    writeDataCount(cursor, copier);
    break;
  case SectionId::data:
    writeData(cursor, copier);
    break;
  default:
    cursor.skip(cursor.remaining());
    copier.copyPassed();
  }
  failAtRest(cursor);
  if (Error error = cursor.takeError(module_.fileName))
    return error;
  return endSection(part, "section " + Twine(unsigned(id)));
}

void ModuleWriter::writeAdded(const ModuleEditor::Additions::CustomSection &section) {
  appendCustomSection(section.name, section.contents, writer_);
}

Error ModuleWriter::writeCustom(const Section &section) {
  for (size_t i = 0; i != additions_.replacements.size(); ++i) {
    const ModuleEditor::Additions::CustomSection &replacement = additions_.replacements[i];
    if (section.name != replacement.name)
      continue;
    if (!replacementWritten_[i])
      writeAdded(replacement);
    replacementWritten_[i] = true;
    return Error::success();
  }
  switch (customSectionFate(section.name, additions_.customSectionPolicy)) {
  case CustomSectionFate::keep:
    if (isDebugSection(section.name))
      statistics_.keptDebugSections.push_back(section.name.str());
    writer_.bytes(section.whole.bytes);
    return Error::success();
  case CustomSectionFate::drop:
    statistics_.droppedSections.push_back(section.name.str());
    return Error::success();
  case CustomSectionFate::refuse:
    return offsetError(module_.fileName, section.whole.offset,
                       "section '" + section.name +
                           "': an object file, not a module: link it first");
  case CustomSectionFate::moveHints:
    if (hasNewHints(section.name))
      statistics_.replacedHints.push_back(section.name.str());
    else
      codeMetadata_.push_back({section.name, section.contents, writer_.size()});
    return Error::success();
  case CustomSectionFate::addFeatures:
    return writeFeatures(section);
  case CustomSectionFate::rename:
    return module_.damagedNames.empty() ? writeNames(section) : Error::success();
  }
  llvm_unreachable("all fates are handled");
}

Error ModuleWriter::writeNames(const Section &section) {
  std::optional<LabelMap> labels;
  if (codeBegin_ && hasLabelNames_)
    labels.emplace(module_, out_, *codeBegin_, movements_);
  writer_.u8(uint8_t(SectionId::custom));
  ByteWriter::Part part = writer_.beginPart(section.whole.bytes.size());
  writer_.name(section.name);
  ByteCursor cursor = section.contents.cursor();
  NameRewriter(module_, additions_, indices_, labels ? &*labels : nullptr, writer_).rewrite(cursor);
  if (Error error = cursor.takeError(module_.fileName))
    return error;
  return endSection(part, "the name section");
}

// The features of the additions, by the names that tools know them by. A shared memory of the
// module's own, and what its types and code use, are listed already.
SmallVector<StringRef, 5> ModuleWriter::addedFeatures() const {
  SmallVector<StringRef, 5> added;
  if (additions_.exceptionForm != ExceptionForm::none)
    added.push_back("exception-handling");
  if (additions_.exceptionForm == ExceptionForm::exnref || additions_.tableSize != 0)
    added.push_back("reference-types");
  bool importsMemory = !additions_.importedMemories.empty();
  if (module_.memoryCount != 0 && (importsMemory || additions_.memory))
    added.push_back("multimemory");
  if (importsMemory) // which is shared
    added.push_back("atomics");
  if (!additions_.exportedGlobals.empty())
    added.push_back("mutable-globals");
  return added;
}

// The features that linkers and optimisers may use: a list of signs and names.
Error ModuleWriter::writeFeatures(const Section &section) {
  SmallVector<StringRef, 5> added = addedFeatures();
  ByteCursor cursor = section.contents.cursor();
  uint32_t count = readCount(cursor);
  ArrayRef<uint8_t> features(cursor.position(), cursor.remaining());
  for (uint32_t i = 0; i != count && cursor.ok(); ++i) {
    cursor.u8();
    StringRef present = cursor.sizedString();
    erase(added, present);
  }
  if (added.empty() || !cursor.ok() || !cursor.atEnd()) {
    writer_.bytes(section.whole.bytes);
    return Error::success();
  }
  writer_.u8(uint8_t(SectionId::custom));
  ByteWriter::Part part = writer_.beginPart(section.whole.bytes.size());
  writer_.name(section.name);
  writer_.uleb(uint64_t(count) + added.size());
  writer_.bytes(features);
  for (StringRef feature : added) {
    writer_.u8('+');
    writer_.name(feature);
  }
  return endSection(part, "the section of target features");
}

Error ModuleWriter::requestMovements() {
  for (const ModuleEditor::Additions::CustomSection &hints : additions_.hints) {
    ByteCursor cursor(hints.contents);
    requestHinted(cursor, hints.name, movements_);
    if (Error error = cursor.takeError(hints.name))
      return error;
  }
  if (const Section *names = module_.findCustomSection("name");
      names && module_.damagedNames.empty() && !additions_.permutation)
    hasLabelNames_ = requestLabelled(names->contents.cursor(), movements_);
  for (const Section &section : module_.sections) {
    if (section.id != SectionId::custom ||
        customSectionFate(section.name, additions_.customSectionPolicy) !=
            CustomSectionFate::moveHints ||
        hasNewHints(section.name))
      continue;
    ByteCursor cursor = section.contents.cursor();
    requestHinted(cursor, section.name, movements_);
    if (Error error = cursor.takeError(module_.fileName))
      return error;
  }
  return Error::success();
}

Error ModuleWriter::insertCodeMetadata() {
  // The bytes of all sections; for each its place in the output and its begin in `bytes`.
  SmallVector<uint8_t, 0> bytes;
  std::vector<std::pair<size_t, size_t>> places;
  ByteWriter writer(bytes);
  for (const Hints &hints : codeMetadata_) {
    places.push_back({hints.place, bytes.size()});
    writer.u8(uint8_t(SectionId::custom));
    ByteWriter::Part part = writer.beginPart(hints.name.size() + hints.contents.bytes.size() + 1);
    writer.name(hints.name);
    ByteCursor cursor = hints.contents.cursor();
    rewriteCodeMetadata(cursor, hints.name, module_, indices_, movements_, writer);
    if (Error error = cursor.takeError(module_.fileName))
      return error;
    writer.endPart(part);
  }
  // From the back, so that every byte of the output moves only once.
  size_t end = out_.size(), bytesEnd = bytes.size();
  out_.resize_for_overwrite(end + bytesEnd);
  for (auto [place, begin] : llvm::reverse(places)) {
    std::memmove(&out_[place] + bytesEnd, &out_[place], end - place);
    std::memcpy(&out_[place] + begin, &bytes[begin], bytesEnd - begin);
    end = place;
    bytesEnd = begin;
  }
  return Error::success();
}

Expected<EditStatistics> ModuleWriter::write() {
  if (Error error = findUndeclared())
    return error;
  if (Error error = requestMovements())
    return error;
  size_t functions = module_.bodies.size() + additions_.addedFunctions();
  reserveHugePages(out_, out_.size() + likelySize(module_.bytes.size(), functions));
  writer_.bytes(module_.bytes.take_front(8));

  ArrayRef<Section> sections = module_.sections;
  size_t behindStandard = sections.size();
  while (behindStandard && sections[behindStandard - 1].id == SectionId::custom)
    --behindStandard;
  unsigned rank = 0;
  for (const Section &section : sections.take_front(behindStandard)) {
    if (section.id == SectionId::custom) {
      if (Error error = writeCustom(section))
        return error;
      continue;
    }
    unsigned next = sectionRank(section.id);
    if (Error error = writeMissing(rank, next))
      return error;
    rank = next;
    if (section.id == SectionId::code)
      for (const ModuleEditor::Additions::CustomSection &hints : additions_.hints)
        codeMetadata_.push_back({hints.name, {hints.contents, 0}, writer_.size()});
    if (section.id == SectionId::code)
      codeBegin_ = writer_.size();
    if (Error error = writeStandard(section.id, section.contents))
      return error;
  }
  if (Error error = writeMissing(rank, UINT_MAX))
    return error;
  for (const Section &section : sections.drop_front(behindStandard))
    if (Error error = writeCustom(section))
      return error;

  if (Error error = insertCodeMetadata())
    return error;
  for (size_t i = 0; i != additions_.replacements.size(); ++i)
    if (!replacementWritten_[i])
      writeAdded(additions_.replacements[i]);
  for (const ModuleEditor::Additions::CustomSection &section : additions_.customSections)
    writeAdded(section);
  return statistics_;
}
