//===- BinaryModule.cpp ---------------------------------------------------===//

#include "BinaryModule.h"
#include "warpo/Support/Errors.h"
#include "warpo/Toolchain/TextFormat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
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

Expected<BinaryModule> BinaryModule::of(StringRef path) {
  BinaryModule module(path.str());
  // What is no file, such as a pipe, can be read once only.
  if (!sys::fs::is_regular_file(path))
    return module;
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer || !isModuleText((*buffer)->getBuffer()))
    return module;
  auto binary = assembleModule((*buffer)->getBuffer(), path);
  if (!binary)
    return binary.takeError();
  if (Error error = module.write((sys::path::stem(path) + ".wasm").str(), *binary))
    return error;
  return module;
}
