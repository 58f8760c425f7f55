//===- Companion.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Companion.h"
#include "DwarfAsker.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Wasm/CompanionFile.h"
#include "warpo/Wasm/CustomSectionReader.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

Expected<Companion> Companion::read(std::string path) {
  auto buffer = readWholeInput(path);
  if (!buffer)
    return buffer.takeError();
  Companion file(std::move(path), std::move(*buffer));
  if (Error error = file.readSections())
    return error;
  return file;
}

Error Companion::readSections() {
  ArrayRef<uint8_t> bytes = arrayRefFromStringRef(buffer_->getBuffer());
  return wasm::forEachCustomSection(bytes, path_, [&](StringRef name, ByteCursor &cursor) {
    wasm::Section &read = sections_.emplace_back();
    read.name = name;
    read.contents.offset = cursor.offset();
    read.contents.bytes = cursor.bytes(cursor.remaining());
  });
}

static StringRef buildId(ArrayRef<wasm::Section> sections) {
  for (const wasm::Section &each : sections)
    if (each.name == "build_id") {
      ByteCursor cursor = each.contents.cursor();
      return cursor.sizedString();
    }
  return "";
}

Expected<CompanionFit> Companion::fit(const wasm::Module &module, CompanionFit known) const {
  StringRef own = buildId(module.sections), its = buildId(sections_);
  if (!own.empty() && own == its)
    return CompanionFit::sameBuild;
  if (!own.empty() && !its.empty())
    return fileError(path_, "debug information of another build: its build id is " +
                                toHex(its, true) + ", the module's " + toHex(own, true));
  // Its lines would be those of other code.
  if (known != CompanionFit::given &&
      wasm::hasOtherCode(arrayRefFromStringRef(buffer_->getBuffer()), module))
    return fileError(path_, "debug information of another build: its code is not the module's");
  return known;
}

Error CompanionChoice::tryFile(Expected<std::string> path, CompanionFit known) {
  if (!path)
    return path.takeError();
  auto file = Companion::read(std::move(*path));
  if (!file)
    return file.takeError();
  bool isMeant = known != CompanionFit::calledSo;
  if (!hasDwarf(file->sections()))
    return isMeant ? fileError(file->path(), "has no debug information") : Error::success();
  auto fit = file->fit(module_, known);
  if (!fit)
    return fit.takeError();
  if (!best_ || *fit > fit_) {
    rival_.clear();
    best_ = std::move(*file);
    fit_ = *fit;
  } else if (*fit == CompanionFit::calledSo && fit_ == *fit && !best_->isCopyOf(*file)) {
    rival_ = file->path().str();
  }
  return Error::success();
}

void CompanionChoice::add(Expected<std::string> path, CompanionFit known) {
  std::string problem = toString(tryFile(std::move(path), known));
  if (problem_.empty())
    problem_ = std::move(problem);
}

Expected<std::optional<Companion>> CompanionChoice::take() {
  if (!best_ && !problem_.empty())
    return makeError(problem_);
  if (!rival_.empty())
    return fileError(best_->path(), "may be the debug information, and so may " + rival_ +
                                        ": --debug-file says which is");
  return std::move(best_);
}
