//===- BinaryModule.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "BinaryModule.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Toolchain/TextFormat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace warpo;

Error BinaryModule::write(StringRef name, StringRef contents) {
  SmallString<128> folder;
  if (std::error_code code = sys::fs::createUniqueDirectory("warpo", folder))
    return fileError("temporary folder", code);
  folder_ = folder.str().str();
  sys::path::append(folder, name);
  path_ = folder.str().str();
  sys::RemoveFileOnSignal(path_);
  std::error_code code;
  raw_fd_ostream os(path_, code);
  os << contents;
  os.close();
  if (!code)
    code = os.error();
  os.clear_error();
  return code ? fileError(path_, code) : Error::success();
}

BinaryModule::~BinaryModule() {
  if (folder_.empty())
    return;
  sys::fs::remove(path_);
  sys::fs::remove(folder_);
  sys::DontRemoveFileOnSignal(path_);
}

// Whether the file can be read again, as engines do.
static bool isRepeatable(StringRef path) {
  sys::fs::file_status status;
  if (path == "-")
    return false;
  return sys::fs::status(path, status) || status.type() == sys::fs::file_type::regular_file ||
         status.type() == sys::fs::file_type::directory_file;
}

Expected<BinaryModule> BinaryModule::of(StringRef path) {
  BinaryModule module(path.str());
  bool repeatable = isRepeatable(path);
  auto buffer = readWholeInput(path);
  if (!buffer && repeatable) {
    consumeError(buffer.takeError());
    return module;
  }
  if (!buffer)
    return buffer.takeError();
  StringRef contents = (*buffer)->getBuffer();
  auto isOne = isRecord(arrayRefFromStringRef(contents));
  if (!isOne)
    return isOne.takeError();
  if (*isOne)
    return fileError(inputName(path), "a record, not a module: warpo open shows it");
  bool isText = isModuleText(contents);
  if (!isText && repeatable)
    return module;
  std::string assembled;
  if (isText) {
    auto binary = assembleModule(contents, inputName(path));
    if (!binary)
      return binary.takeError();
    assembled = std::move(*binary);
    contents = assembled;
  }
  StringRef stem = path == "-" ? "stdin" : sys::path::stem(path);
  if (Error error = module.write((stem + ".wasm").str(), contents))
    return error;
  return module;
}
