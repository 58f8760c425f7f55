//===- BinaryModule.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "BinaryModule.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Toolchain/TextFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace warpo;

Expected<std::string> BinaryModules::copy(StringRef name, StringRef contents) {
  if (!folder_) {
    auto folder = TemporaryFolder::create("warpo");
    if (!folder)
      return folder.takeError();
    folder_.emplace(std::move(*folder));
  }
  // Each in a separate folder, as names may be equal.
  auto folder = folder_->makeFolder(Twine(++copies_));
  if (!folder)
    return folder.takeError();
  std::string path = *folder + "/" + name.str();
  std::error_code code;
  raw_fd_ostream os(path, code);
  os << contents;
  os.close();
  if (!code)
    code = os.error();
  os.clear_error();
  // Names the folder, as messages show copies like the user's file.
  if (code)
    return fileError(*folder, code);
  return path;
}

// Whether the file can be read again, as engines do.
static bool isRepeatable(StringRef path) {
  sys::fs::file_status status;
  if (path == "-")
    return false;
  return sys::fs::status(path, status) || status.type() == sys::fs::file_type::regular_file ||
         status.type() == sys::fs::file_type::directory_file;
}

Expected<std::string> BinaryModules::pathOf(StringRef path) {
  bool repeatable = isRepeatable(path);
  auto buffer = readWholeInput(path);
  if (!buffer && repeatable) {
    consumeError(buffer.takeError());
    return path.str();
  }
  if (!buffer)
    return buffer.takeError();
  StringRef contents = (*buffer)->getBuffer();
  if (contents.empty())
    return fileError(inputName(path), "the module is empty");
  auto isOne = isRecord(arrayRefFromStringRef(contents));
  if (!isOne)
    return isOne.takeError();
  if (*isOne)
    return fileError(inputName(path), "a record, not a module: warpo open shows it");
  bool isText = isModuleText(contents);
  if (!isText && repeatable)
    return path.str();
  std::string assembled;
  if (isText) {
    auto binary = assembleModule(contents, inputName(path));
    if (!binary)
      return binary.takeError();
    assembled = std::move(*binary);
    contents = assembled;
  }
  StringRef stem = path == "-" ? "stdin" : sys::path::stem(path);
  return copy((stem + ".wasm").str(), contents);
}
