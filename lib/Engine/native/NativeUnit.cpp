//===- NativeUnit.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NativeUnit.h"
#include "../FunctionTypes.h"
#include "warpo/Wasm/Artifact.h"
#include "warpo/Wasm/CountArtifacts.h"
#include <dlfcn.h>

using namespace llvm;
using namespace warpo;
using wasm::ExternalKind;

NativeUnit::~NativeUnit() {
  if (instance)
    code->release(instance.get());
  if (library)
    dlclose(library);
}

bool NativeUnit::notesLeftCalls() const {
  auto artifacts = wasm::findArtifacts(module);
  // The error is reported when they are fetched.
  if (!artifacts)
    return consumeError(artifacts.takeError()), false;
  return !module.bodies.empty() && any_of(*artifacts, [](const wasm::Artifact &each) {
    return each.format == wasm::countFileFormat;
  });
}

std::optional<uint64_t> NativeUnit::counter(wasm::Counter counter) const {
  const uint64_t *place = counterAt(counter);
  return place ? std::optional(*place) : std::nullopt;
}

const warpo_native_export *NativeUnit::findExport(StringRef wanted, StringRef kinds) const {
  for (size_t i = 0; i < module.exports.size(); ++i)
    if (module.exports[i].name == wanted && kinds.contains(code->exports[i].kind))
      return &code->exports[i];
  return nullptr;
}

/// The kind of a call that the glue implements; others are host functions.
static std::optional<ImportSource::Kind> kindOf(wasm::HostCall call) {
  switch (call) {
  case wasm::HostCall::tracePoint:
    return ImportSource::tracePoint;
  case wasm::HostCall::tracePointFuel:
    return ImportSource::tracePointFuel;
  case wasm::HostCall::heap:
    return ImportSource::heap;
  case wasm::HostCall::enterFrame:
    return ImportSource::enterFrame;
  case wasm::HostCall::leaveFrame:
    return ImportSource::leaveFrame;
  case wasm::HostCall::enterModule:
    return ImportSource::enterModule;
  case wasm::HostCall::sample:
  case wasm::HostCall::sampleCaller:
    return ImportSource::sample;
  case wasm::HostCall::beginSection:
    return ImportSource::beginSection;
  case wasm::HostCall::endSection:
    return ImportSource::endSection;
  default:
    return std::nullopt;
  }
}

std::optional<ImportSource> NativeUnit::sourceInHost(const wasm::Import &import) const {
  if (import.kind == ExternalKind::function) {
    std::string type = typeLetters(*module.types[import.type]);
    const wasm::HostCallInfo *info = wasm::findHostCall(import.module, import.name);
    if (auto kind = info && type == typeLetters(*info) ? kindOf(info->call) : std::nullopt)
      return ImportSource{*kind};
    const HostFunction *function = GuestHost::find(import.module, import.name);
    if (function && function->type == type)
      return ImportSource{ImportSource::hostFunction, function};
  } else if (import.module == "env" &&
             (import.kind == ExternalKind::memory || import.kind == ExternalKind::table)) {
    return ImportSource{ImportSource::provided};
  }
  return std::nullopt;
}
