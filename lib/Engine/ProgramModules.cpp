//===- ProgramModules.cpp - Reads modules for ProgramRun ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FunctionTypes.h"
#include "warpo/Engine/ProgramRun.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;
using wasm::ExternalKind;

Error ProgramRun::load() {
  // A module without an identity gets its position on the command line as its id; the program is
  // first.
  uint64_t place = 2;
  for (const RunRequest::Link &link : request_.links)
    if (Error error = loadUnit(link.name, link.path, place++))
      return error;
  return loadUnit("", request_.app, 1);
}

Expected<std::unique_ptr<ProgramUnit>> ProgramRun::decode(StringRef, ArrayRef<uint8_t>) {
  return std::make_unique<ProgramUnit>();
}

Error ProgramRun::loadUnit(StringRef name, StringRef path, uint64_t place) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return fileError(path, file.getError());
  auto made = decode(path, arrayRefFromStringRef((*file)->getBuffer()));
  if (!made)
    return made.takeError();
  std::unique_ptr<ProgramUnit> unit = std::move(*made);
  unit->name = name.str();
  unit->path = path.str();
  unit->file = std::move(*file);
  unit->place = units_.size();
  if (unit->isModule)
    if (Error error = readModule(*unit, place))
      return error;
  result_.instrumented |= unit->instrumented;
  units_.push_back(std::move(unit));
  return Error::success();
}

static std::vector<ExportedFunction> functionsOf(const wasm::Module &module) {
  std::vector<ExportedFunction> functions;
  auto typesOf = [](const wasm::TypeList &types) {
    std::vector<ValueType> result;
    for (uint8_t encoded : types.bytes)
      result.push_back(valueTypeOf(encoded));
    return result;
  };
  for (const wasm::Export &entry : module.exports) {
    if (entry.kind != ExternalKind::function)
      continue;
    const wasm::FunctionType &type = module.typeOf(entry.index);
    functions.push_back({entry.name.str(), typesOf(type.params), typesOf(type.results)});
  }
  return functions;
}

Error ProgramRun::readModule(ProgramUnit &unit, uint64_t place) const {
  ArrayRef<uint8_t> bytes = arrayRefFromStringRef(unit.file->getBuffer());
  auto module = wasm::readModule(bytes, unit.path);
  if (!module)
    return module.takeError();
  auto identity = wasm::readModuleIdentity(bytes, unit.path);
  if (!identity)
    return identity.takeError();
  if (*identity)
    unit.id = (*identity)->moduleId;
  else
    unit.id = request_.sampling.byEngine ? wasm::ModuleIdentity::ofOriginal(bytes).moduleId : place;
  unit.module = std::move(*module);
  unit.functions = functionsOf(unit.module);
  findHostCalls(unit);
  return Error::success();
}

void ProgramRun::findHostCalls(ProgramUnit &unit) const {
  for (const wasm::Import &import : unit.module.imports) {
    const wasm::HostCallInfo *info = wasm::findHostCall(import.module, import.name);
    if (info && import.kind == ExternalKind::function && !findLinked(unit, import).first &&
        typeLetters(*unit.module.types[import.type]) == typeLetters(*info))
      unit.add(info->call);
  }
  unit.findCounters();
}

std::pair<const ProgramUnit *, uint32_t> ProgramRun::findLinked(const ProgramUnit &unit,
                                                                const wasm::Import &import) const {
  for (const auto &other : units_) {
    if (other.get() == &unit)
      break;
    if (other->name != import.module)
      continue;
    for (const wasm::Export &entry : other->module.exports)
      if (entry.name == import.name && entry.kind == import.kind)
        return {other.get(), uint32_t(&entry - other->module.exports.data())};
  }
  return {nullptr, 0};
}

static StringRef describeKind(ExternalKind kind) {
  constexpr StringLiteral kinds[] = {"func", "table", "memory", "global", "tag"};
  return kinds[size_t(kind)];
}

Error ProgramRun::refuseImports(const ProgramUnit &unit,
                                ArrayRef<const wasm::Import *> missing) const {
  if (missing.empty())
    return Error::success();
  auto names = map_range(missing, [](const wasm::Import *import) {
    return (import->module + "." + import->name + " (" + describeKind(import->kind) + ")").str();
  });
  return fileError(unit.path, "engine " + engine_ + " does not provide " + join(names, ", ") +
                                  "; use --engine=node, or --link=<name>=<file.wasm>");
}
