//===- LinkedFrames.cpp - A guest stack: frames that are linked in memory -===//
// SPDX-License-Identifier: Apache-2.0
//
// For interpreters that cannot be changed: what is known of the place of their frames is read from
// outside. Here the exported global `frames` has the address of the innermost one:
//
//   frame := outer:i32 name:i32      the frame around it, or 0; the name ends with a zero byte
//
//===----------------------------------------------------------------------===//

#include "warpo/Engine/GuestStack.h"
#include "warpo/Support/PluginApi.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

constexpr StringLiteral globalName = "frames";
/// More than this is a circle.
constexpr size_t mostFrames = 1000;
constexpr size_t longestName = 200;

class LinkedFrames : public GuestStack {
  bool suits(const wasm::Module &module) const override {
    return any_of(module.exports, [](const wasm::Export &entry) {
      return entry.kind == wasm::ExternalKind::global && entry.name == globalName;
    });
  }

  Error read(StoppedInstance &instance, GuestFrames &frames) override {
    auto frame = instance.global(globalName);
    while (frame && *frame != 0 && frames.names.size() < mostFrames) {
      auto outer = instance.read<uint32_t>(*frame);
      auto name = instance.read<uint32_t>(*frame + 4);
      if (!outer || !name)
        return createStringError("frame " + Twine(frames.names.size() + 1) +
                                 " does not lie in the memory");
      frames.names.push_back(instance.readText(*name, longestName).str());
      frame = *outer;
    }
    frames.isCut = frames.names.size() == mostFrames;
    return Error::success();
  }
};

warpo::Registry<GuestStack>::Add<LinkedFrames> registration("linked-frames",
                                                            "frames that are linked in memory");

} // namespace

WARPO_PLUGIN("linked-frames", "1.0")
