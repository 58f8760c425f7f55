//===- OrderModule.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/OrderModule.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Wasm/FunctionNames.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace warpo;

Expected<OrderModule> OrderModule::create(ArrayRef<uint8_t> bytes, StringRef fileName) {
  auto module = wasm::readModule(bytes, fileName);
  if (!module)
    return module.takeError();
  return create(*module);
}

Expected<OrderModule> OrderModule::create(const wasm::Module &module) {
  StringRef fileName = module.fileName;
  auto identity = wasm::readModuleIdentity(module.bytes, fileName);
  if (!identity)
    return identity.takeError();
  if (*identity)
    return fileError(fileName, "is an instrumented module; orders are of its original");

  OrderModule result;
  result.fileName_ = fileName.str();
  result.hash_ = wasm::ModuleIdentity::ofOriginal(module.bytes).originalHash;
  result.importedCount_ = module.importedFunctionCount();
  wasm::FunctionNames names(module);
  for (uint32_t i = 0; i != module.functionCount(); ++i) {
    Function function{names[i]};
    if (!module.isImported(i)) {
      const wasm::ByteRange &body = module.bodies[i - module.importedFunctionCount()];
      function.codeSize = body.bytes.size() + getULEB128Size(body.bytes.size());
    }
    result.byName_[function.name].push_back(i);
    result.functions_.push_back(std::move(function));
  }
  return result;
}

Expected<OrderModule> OrderModule::read(StringRef path) {
  auto buffer = readWholeInput(path);
  if (!buffer)
    return buffer.takeError();
  return create(arrayRefFromStringRef((*buffer)->getBuffer()), (*buffer)->getBufferIdentifier());
}

std::vector<uint32_t> OrderModule::definedExcept(ArrayRef<uint32_t> functions) const {
  std::vector<bool> excepted(size());
  for (uint32_t function : functions)
    excepted[function] = true;
  std::vector<uint32_t> others;
  for (uint32_t i = importedCount_; i != size(); ++i)
    if (!excepted[i])
      others.push_back(i);
  return others;
}

ArrayRef<uint32_t> OrderModule::find(StringRef name) const {
  auto found = byName_.find(name);
  return found == byName_.end() ? ArrayRef<uint32_t>() : ArrayRef<uint32_t>(found->second);
}
