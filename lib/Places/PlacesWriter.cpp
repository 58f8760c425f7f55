//===- PlacesWriter.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PlaceParts.h"
#include "warpo/Places/ModulePlaces.h"
#include "warpo/Support/ByteWriter.h"
#include "llvm/Support/Compression.h"

using namespace llvm;
using namespace warpo;

// Higher levels make it hardly smaller, but much slower.
static constexpr int compressionLevel = 9;

namespace {

class PartWriter {
public:
  PartWriter(const ModulePlaces &places, SmallVectorImpl<uint8_t> &out)
      : places_(places), out_(out) {}

  void write() {
    part(place_parts::about, [&](ByteWriter &out) {
      out.name(places_.origin);
      out.uleb(places_.code);
    });
    writeTexts(place_parts::files, places_.files);
    writeTexts(place_parts::names, places_.names);
    part(place_parts::inlinees, [&](ByteWriter &out) {
      out.uleb(places_.inlinees.size());
      for (const Inlinee &inlinee : places_.inlinees)
        for (uint32_t number : {inlinee.name, inlinee.file, inlinee.line})
          out.uleb(number);
    });
    part(place_parts::functions, [&](ByteWriter &out) { writeFunctions(out); });
    part(place_parts::inlined, [&](ByteWriter &out) {
      forEachWith(
          out,
          [](const FunctionPlaces &each) { return !each.calls.empty() || !each.changes.empty(); },
          [&](const FunctionPlaces &each) { writeInlined(out, each); });
    });
    part(place_parts::lines, [&](ByteWriter &out) {
      forEachWith(
          out, [](const FunctionPlaces &each) { return !each.rows.empty(); },
          [&](const FunctionPlaces &each) { writeRows(out, each); });
    });
    part(place_parts::map, [&](ByteWriter &out) {
      if (!places_.map.runs.empty())
        places_.map.write(out);
    });
    part(place_parts::sites, [&](ByteWriter &out) {
      forEachWith(
          out, [](const FunctionPlaces &each) { return !each.sites.empty(); },
          [&](const FunctionPlaces &each) { writeSites(out, each); });
    });
    part(place_parts::costs, [&](ByteWriter &out) {
      forEachWith(
          out, [](const FunctionPlaces &each) { return !each.costs.empty(); },
          [&](const FunctionPlaces &each) {
            for (uint32_t cost : each.costs)
              out.uleb(cost);
          });
    });
  }

private:
  void part(uint32_t kind, function_ref<void(ByteWriter &)> write) {
    SmallVector<uint8_t, 0> payload;
    ByteWriter writer(payload);
    write(writer);
    if (payload.empty())
      return;
    out_.uleb(kind);
    out_.uleb(payload.size());
    out_.bytes(payload);
  }

  void writeTexts(uint32_t kind, ArrayRef<std::string> texts) {
    part(kind, [&](ByteWriter &out) {
      out.uleb(texts.size());
      for (const std::string &text : texts)
        out.name(text);
    });
  }

  void writeFunctions(ByteWriter &out) {
    out.uleb(places_.functions.size());
    uint32_t nextIndex = 0;
    int32_t lastId = place_parts::beforeFirstId;
    for (const FunctionPlaces &function : places_.functions) {
      out.uleb(function.index - nextIndex);
      nextIndex = function.index + 1;
      out.uleb(function.id ? uint32_t(function.id - lastId) : 0);
      if (function.id)
        lastId = function.id;
      for (uint32_t number :
           {function.name, function.file, function.line, function.start, function.size})
        out.uleb(number);
    }
  }

  /// Writes something for those functions that have it, each with the number of functions skipped
  /// before it.
  void forEachWith(ByteWriter &out, function_ref<bool(const FunctionPlaces &)> has,
                   function_ref<void(const FunctionPlaces &)> write) {
    uint32_t skipped = 0;
    for (const FunctionPlaces &function : places_.functions) {
      if (!has(function)) {
        ++skipped;
        continue;
      }
      out.uleb(skipped);
      skipped = 0;
      write(function);
    }
  }

  void writeInlined(ByteWriter &out, const FunctionPlaces &function) {
    out.uleb(function.calls.size());
    for (size_t i = 0; i != function.calls.size(); ++i) {
      const InlinedCall &call = function.calls[i];
      out.uleb(i + 1 - call.around);
      for (uint32_t number : {call.inlinee, call.file, call.line, call.column})
        out.uleb(number);
    }
    out.uleb(function.changes.size());
    uint32_t last = function.start;
    for (const CallChange &change : function.changes) {
      out.uleb(change.offset - last);
      out.uleb(change.call);
      last = change.offset;
    }
  }

  void writeRows(ByteWriter &out, const FunctionPlaces &function) {
    out.uleb(function.rows.size());
    place_parts::LastPlaces lastPlaces(places_, function);
    uint32_t lastOffset = function.start, call = 0;
    ArrayRef<CallChange> changes = function.changes;
    for (const LineRow &row : function.rows) {
      for (; !changes.empty() && changes.front().offset <= row.offset;
           changes = changes.drop_front())
        call = changes.front().call;
      place_parts::LastPlaces::Place &last = lastPlaces[call];
      uint32_t file = row.line ? row.file : last.file;
      int64_t difference = int64_t(row.line) - int64_t(last.line);
      out.uleb(row.offset - lastOffset);
      out.uleb(place_parts::zigzag(difference) * 2 + (file != last.file));
      if (file != last.file)
        out.uleb(file);
      lastOffset = row.offset;
      if (row.line)
        last = {row.file, row.line};
    }
  }

  static void writeSites(ByteWriter &out, const FunctionPlaces &function) {
    out.uleb(function.sites.size());
    uint32_t last = function.start;
    for (const CallInCode &site : function.sites) {
      out.uleb(site.offset - last);
      out.uleb(site.target.number());
      last = site.offset;
    }
  }

  const ModulePlaces &places_;
  ByteWriter out_;
};

} // namespace

// Keeps only the texts that are referred to. `forEach` visits the numbers.
static void dropUnused(std::vector<std::string> &texts,
                       function_ref<void(function_ref<void(uint32_t &)>)> forEach) {
  std::vector<uint32_t> numbers(texts.size() + 1);
  forEach([&](uint32_t &number) { numbers[number] = 1; });
  numbers[0] = 0;
  uint32_t kept = 0;
  for (size_t number = 1; number != numbers.size(); ++number) {
    if (!numbers[number])
      continue;
    texts[kept].swap(texts[number - 1]);
    numbers[number] = ++kept;
  }
  texts.resize(kept);
  forEach([&](uint32_t &number) { number = numbers[number]; });
}

static void dropUnused(ModulePlaces &places) {
  dropUnused(places.names, [&](function_ref<void(uint32_t &)> use) {
    for (Inlinee &inlinee : places.inlinees)
      use(inlinee.name);
    for (FunctionPlaces &function : places.functions)
      use(function.name);
  });
  dropUnused(places.files, [&](function_ref<void(uint32_t &)> use) {
    for (Inlinee &inlinee : places.inlinees)
      use(inlinee.file);
    for (FunctionPlaces &function : places.functions) {
      use(function.file);
      for (InlinedCall &call : function.calls)
        use(call.file);
      for (LineRow &row : function.rows)
        use(row.file);
    }
  });
}

SmallVector<uint8_t, 0> warpo::encodePlaceParts(const ModulePlaces &places) {
  SmallVector<uint8_t, 0> parts;
  PartWriter(places, parts).write();
  return parts;
}

// Nothing if it is too large.
static SmallVector<uint8_t, 0> encodeContents(ModulePlaces &places) {
  dropUnused(places);
  for (size_t items : {places.files.size(), places.names.size(), places.functions.size()})
    if (items > maxPlaceItems)
      return {};
  SmallVector<uint8_t, 0> parts = encodePlaceParts(places), frame, contents;
  if (parts.size() > place_parts::maxParts)
    return {};
  compression::zstd::compress(parts, frame, compressionLevel);
  ByteWriter writer(contents);
  writer.u8(place_parts::version);
  writer.uleb(parts.size());
  writer.bytes(frame);
  if (contents.size() > place_parts::maxContents)
    return {};
  return contents;
}

EncodedPlaces warpo::encodePlaces(ModulePlaces places) {
  EncodedPlaces encoded;
  auto dropMap = [&] {
    encoded.leftOut.push_back("the map of the instrumented code");
    places.map = CodeMap();
  };
  // There is no room for it, whatever else is left out.
  if (places.map.runs.size() > maxCodeRuns)
    dropMap();
  encoded.bytes = encodeContents(places);
  if (!encoded.bytes.empty())
    return encoded;
  encoded.leftOut.push_back("lines");
  for (FunctionPlaces &function : places.functions)
    function.rows.clear();
  encoded.bytes = encodeContents(places);
  if (!encoded.bytes.empty())
    return encoded;
  // Then it is also unknown where calls are.
  for (FunctionPlaces &function : places.functions)
    function.sites.clear();
  // Without lines little is known about an offset.
  if (!places.map.runs.empty()) {
    dropMap();
    encoded.bytes = encodeContents(places);
    if (!encoded.bytes.empty())
      return encoded;
  }
  encoded.leftOut.push_back("inlined functions");
  for (FunctionPlaces &function : places.functions) {
    function.calls.clear();
    function.changes.clear();
    function.costs.clear();
  }
  places.inlinees.clear();
  encoded.bytes = encodeContents(places);
  if (encoded.bytes.empty())
    encoded.leftOut.push_back("functions");
  return encoded;
}
