//===- FrameTypes.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FrameTypes.h"
#include "warpo/Support/NumberedName.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::otlp;

// Displayed names contain no line ends.
static std::string keyOf(const Frame &frame) { return frame.name + '\n' + frame.module; }

static bool isScript(StringRef file) {
  return file.starts_with("node:") || any_of(ArrayRef<StringRef>{".js", ".mjs", ".cjs"},
                                             [&](StringRef end) { return file.ends_with(end); });
}

/// Our recorders name functions of the host `writeSync (node:fs)`, `log (app.mjs)`.
static bool isScriptFrame(const Frame &frame) {
  StringRef name = frame.name;
  return isScript(frame.file) ||
         (name.consume_back(")") && name.contains(" (") && isScript(name.rsplit(" (").second));
}

static bool isOfModule(const Frame &frame) {
  StringRef name = frame.name, module = frame.module;
  return name.ends_with(" [inlined]") || NumberedName::parse(name) || module.ends_with(".wasm") ||
         module.starts_with("wasm://") || module.starts_with("wasm[");
}

FrameTypes::FrameTypes(const warpo::Profile &profile) {
  for (const ProfileFunction &function : profile.functions)
    if (function.id != 0 && function.kind != FunctionKind::pseudo)
      recorded_.insert(keyOf(frameOf(profile, function)));
}

StringRef FrameTypes::of(const Frame &frame) const {
  if (frame.isPseudo)
    return "";
  if (recorded_.contains(keyOf(frame)))
    return "wasm";
  if (isScriptFrame(frame))
    return "v8js";
  if (isOfModule(frame))
    return "wasm";
  return recorded_.empty() ? "" : "native";
}
