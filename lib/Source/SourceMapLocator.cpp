//===- SourceMapLocator.cpp - Lines of a source map -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "DwarfAsker.h"
#include "warpo/Places/PlacesBuilder.h"
#include "warpo/Source/SourceLocator.h"
#include "warpo/Wasm/SourceMapFile.h"

using namespace llvm;
using namespace warpo;

namespace {

/// Makes functions of a map's entries, which come in the order of offsets.
class MapReader {
public:
  MapReader(const wasm::SourceMap &map, const wasm::Module &module)
      : map_(map), module_(module), builder_(places_), files_(map.sources().size()) {
    places_.code = uint32_t(codeOffset(module));
    for (auto [number, source] : zip_equal(files_, map.sources()))
      number = builder_.file(source);
  }

  Expected<ModulePlaces> read() {
    if (Error error = wasm::forEachEntry(
            map_, module_,
            [this](const wasm::SourceMapEntry &entry, size_t body) { add(entry, body); }))
      return error;
    return std::move(places_);
  }

private:
  void add(const wasm::SourceMapEntry &entry, size_t body) {
    const wasm::ByteRange &code = module_.bodies[body];
    if (entry.offset - code.offset >= code.bytes.size())
      return;
    bool isKnown = entry.place && entry.place->source < files_.size() &&
                   files_[entry.place->source] && entry.place->line != UINT32_MAX;
    LineRow row{uint32_t(entry.offset - places_.code), 0, 0};
    if (isKnown) {
      row.file = files_[entry.place->source];
      row.line = entry.place->line + 1;
    }
    uint32_t index = module_.importedFunctionCount() + uint32_t(body);
    if (places_.functions.empty() || places_.functions.back().index != index) {
      // Nothing is known up to here, hence nothing of the function.
      if (!isKnown)
        return;
      FunctionPlaces function;
      function.index = index;
      function.start = uint32_t(code.offset - places_.code);
      function.size = uint32_t(code.bytes.size());
      function.file = row.file;
      function.line = row.line;
      places_.functions.push_back(std::move(function));
    }
    std::vector<LineRow> &rows = places_.functions.back().rows;
    if (!rows.empty() && rows.back().offset == row.offset)
      rows.pop_back();
    if (rows.empty() || rows.back().line != row.line || rows.back().file != row.file)
      rows.push_back(row);
  }

  const wasm::SourceMap &map_;
  const wasm::Module &module_;
  ModulePlaces places_;
  PlacesBuilder builder_;
  std::vector<uint32_t> files_;
};

class SourceMapLocator : public SourceLocator {
public:
  LocatorClaim claim(const LocatorInput &input) const override {
    if (!input.sourceMap.empty())
      return LocatorClaim::given;
    return input.module.findCustomSection(sourceMapSection) ? LocatorClaim::namedLines
                                                            : LocatorClaim::none;
  }

  Expected<ModulePlaces> read(const LocatorInput &input) const override {
    auto map = findSourceMap(input.module.bytes, input.moduleFile, input.sourceMap);
    if (!map)
      return map.takeError();
    if (!*map)
      return ModulePlaces();
    return MapReader(**map, input.module).read();
  }
};

} // namespace

static warpo::Registry<SourceLocator>::Add<SourceMapLocator>
    registration("source-map", "a source map that the module names, or --source-map");
