//===- CompanionFile.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/CompanionFile.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/PercentEncoding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

/// The magic number and the version of a module.
static constexpr size_t headerSize = 8;

Expected<std::string> wasm::findBeside(StringRef moduleFile, StringRef url, StringRef what,
                                       StringRef option) {
  std::string path = percentDecoded(url);
  // On another host, or an absolute path, which a module must not choose.
  if (url.contains("://") || sys::path::is_absolute(path))
    return fileError(inputName(moduleFile), what + " is at " + url +
                                                ", which is not looked up: give the file with " +
                                                option);
  SmallString<128> file(moduleFile == "-" ? "" : sys::path::parent_path(moduleFile));
  sys::path::append(file, path);
  sys::fs::file_status status;
  if (std::error_code code = sys::fs::status(file, status))
    return fileError(file, code);
  if (!sys::fs::is_regular_file(status))
    return fileError(file, "not a regular file");
  return std::string(file);
}

std::vector<std::string> wasm::debugFilesBeside(StringRef moduleFile) {
  std::vector<std::string> found;
  if (moduleFile == "-")
    return found;
  SmallString<128> withoutEnding(moduleFile);
  sys::path::replace_extension(withoutEnding, "");
  for (StringRef name : {StringRef(withoutEnding), moduleFile}) {
    std::string path = (name + ".debug.wasm").str();
    if (sys::fs::is_regular_file(path) && !is_contained(found, path))
      found.push_back(std::move(path));
  }
  return found;
}

static const wasm::Section *findCode(const wasm::Module &module) {
  auto found = find_if(module.sections, [](const wasm::Section &section) {
    return section.id == wasm::SectionId::code;
  });
  return found == module.sections.end() ? nullptr : &*found;
}

bool wasm::hasOtherCode(ArrayRef<uint8_t> bytes, const Module &module) {
  const Section *own = findCode(module);
  ByteCursor cursor(bytes);
  (void)cursor.bytes(headerSize);
  while (own && cursor.ok() && !cursor.atEnd()) {
    bool isCode = cursor.u8() == uint8_t(SectionId::code);
    ArrayRef<uint8_t> contents = cursor.bytes(cursor.uleb32());
    if (isCode && cursor.ok())
      return contents != own->contents.bytes;
  }
  return false;
}
