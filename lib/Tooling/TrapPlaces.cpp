//===- TrapPlaces.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TrapPlaces.h"
#include "warpo/Places/ModulePlaces.h"
#include "warpo/Support/Demangle.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Wasm/CustomSectionReader.h"
#include "warpo/Wasm/Module.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace llvm;
using namespace warpo;

namespace {

/// What V8 says of a frame: `name (wasm-function[3]:0x1f2)`, or without the name and the brackets.
struct WasmFrame {
  uint32_t function = 0;
  /// In the file.
  uint64_t offset = 0;

  static std::optional<WasmFrame> parse(StringRef text) {
    size_t at = text.rfind("wasm-function[");
    if (at == StringRef::npos)
      return std::nullopt;
    text = text.drop_front(at);
    text.consume_back(")");
    WasmFrame frame;
    if (!text.consume_front("wasm-function[") || text.consumeInteger(10, frame.function) ||
        !text.consume_front("]:0x") || text.getAsInteger(16, frame.offset))
      return std::nullopt;
    return frame;
  }
};

/// A module of the program.
class TrappedModule {
public:
  /// Nothing if its file cannot be read as one.
  static std::optional<TrappedModule> read(StringRef path) {
    TrappedModule result;
    auto file = readWholeInput(path);
    if (!file)
      return consumeError(file.takeError()), std::nullopt;
    ArrayRef<uint8_t> bytes = arrayRefFromStringRef((*file)->getBuffer());
    auto module = wasm::readModule(bytes, path);
    if (!module)
      return consumeError(module.takeError()), std::nullopt;
    result.firstBody_ = module->importedFunctionCount();
    for (const wasm::ByteRange &body : module->bodies)
      result.bodies_.push_back({body.offset, body.bytes.size()});
    if (const wasm::Section *section = module->findCustomSection(wasm::placesSection)) {
      auto places = decodePlaces(section->contents.bytes, path);
      if (places)
        result.places_ = std::move(*places);
      else
        consumeError(places.takeError());
    }
    return result;
  }

  bool has(const WasmFrame &frame) const {
    uint64_t body = uint64_t(frame.function) - firstBody_;
    return frame.function >= firstBody_ && body < bodies_.size() &&
           frame.offset - bodies_[body].offset < bodies_[body].size;
  }

  SmallVector<SourceFrame, 4> locate(const WasmFrame &frame) const {
    return warpo::locate(places_, places_.map.originalOf(frame.offset));
  }

private:
  struct Body {
    uint64_t offset;
    uint64_t size;
  };

  uint32_t firstBody_ = 0;
  std::vector<Body> bodies_;
  ModulePlaces places_;
};

} // namespace

static const TrappedModule *moduleOf(const WasmFrame &frame, ArrayRef<TrappedModule> modules) {
  const TrappedModule *found = nullptr;
  for (const TrappedModule &module : modules) {
    if (module.has(frame) && found)
      return nullptr;
    if (module.has(frame))
      found = &module;
  }
  return found;
}

static std::string withPlace(StringRef what, const SourceFrame &frame) {
  std::string place = displayPlace(frame.file, frame.line);
  return place.empty() ? what.str() : (what + ", " + place).str();
}

std::vector<std::string> warpo::locateStack(ArrayRef<std::string> stack,
                                            ArrayRef<std::string> paths) {
  std::vector<std::string> lines;
  std::vector<TrappedModule> modules;
  if (!stack.empty())
    for (const std::string &path : paths)
      if (std::optional<TrappedModule> module = TrappedModule::read(path))
        modules.push_back(std::move(*module));
  for (const std::string &text : stack) {
    std::optional<WasmFrame> frame = WasmFrame::parse(text);
    const TrappedModule *module = frame ? moduleOf(*frame, modules) : nullptr;
    SmallVector<SourceFrame, 4> frames;
    if (module)
      frames = module->locate(*frame);
    if (frames.empty()) {
      lines.push_back(text);
      continue;
    }
    for (const SourceFrame &inlined : ArrayRef(frames).drop_back()) {
      std::string name = displayName(demangleName(inlined.function));
      lines.push_back(withPlace((name.empty() ? "(unknown)" : name) + " (inlined)", inlined));
    }
    lines.push_back(withPlace(text, frames.back()));
  }
  return lines;
}
