//===- PlacesReader.cpp - Reads docs/source-places.md ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The bytes may be anybody's: a count is believed only as far as there are bytes for it, a number
// as far as there is something of that number.
//
//===----------------------------------------------------------------------===//

#include "PlacesBytes.h"
#include "warpo/Record/SourcePlaces.h"
#include "warpo/Support/ByteCursor.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include <numeric>

using namespace llvm;
using namespace warpo;

static constexpr uint32_t maxNesting = 255;

namespace {

class PlacesReader {
public:
  explicit PlacesReader(ArrayRef<uint8_t> bytes) : cursor_(bytes) {}

  Expected<SourcePlaces> read() {
    uint64_t lastKind = 0;
    while (cursor_.ok() && !cursor_.atEnd()) {
      uint64_t kind = cursor_.uleb64();
      uint64_t size = cursor_.uleb64();
      if (cursor_.ok() && kind <= lastKind)
        cursor_.fail("part " + Twine(kind) + " behind part " + Twine(lastKind));
      lastKind = kind;
      uint64_t start = cursor_.offset();
      ByteCursor part(cursor_.bytes(size), start);
      if (!cursor_.ok())
        break;
      readPart(kind, part);
      cursor_.adoptFailure(part);
    }
    if (Error error = cursor_.takeError("places"))
      return error;
    return std::move(places_);
  }

private:
  struct Inlinee {
    /// In the texts; 0: nobody knows.
    uint32_t name;
  };
  struct Body {
    uint32_t size;
    /// In places_.functions, or none.
    size_t function;
  };
  static constexpr size_t noFunction = SIZE_MAX;

  void readPart(uint64_t kind, ByteCursor &part) {
    switch (kind) {
    case places_files:
      return readTexts(part, files_, "files");
    case places_names:
      return readTexts(part, names_, "names");
    case places_inlinees:
      return readInlinees(part);
    case places_functions:
      return readFunctions(part);
    case places_inlined:
      return readInlined(part);
    default:
      return;
    }
  }

  /// The length of a list of which an item takes at least `size` bytes.
  static size_t count(ByteCursor &part, StringRef what, size_t size) {
    uint64_t value = part.uleb64();
    if (value <= part.remaining() / size)
      return value;
    part.fail(Twine(value) + " " + what + " do not fit the part");
    return 0;
  }

  /// The same for items that are kept.
  static size_t itemCount(ByteCursor &part, StringRef what, size_t size) {
    size_t items = count(part, what, size);
    if (items <= maxPlacesItems)
      return items;
    part.fail(Twine(items) + " " + what + ", the most are " + Twine(maxPlacesItems));
    return 0;
  }

  /// A number of something that there is `most` of.
  static uint32_t number(ByteCursor &part, size_t most, StringRef what) {
    uint32_t value = part.uleb32();
    if (value <= most)
      return value;
    part.fail("there is no " + what + " " + Twine(value) + ", of " + Twine(most));
    return 0;
  }

  /// Their places in the texts, behind that of number 0.
  void readTexts(ByteCursor &part, std::vector<uint32_t> &numbers, StringRef what) {
    size_t texts = itemCount(part, what, 1);
    for (size_t i = 0; i < texts && part.ok(); ++i) {
      numbers.push_back(uint32_t(places_.texts.size()));
      places_.texts.push_back(part.sizedString().str());
    }
  }

  void readInlinees(ByteCursor &part) {
    size_t inlinees = count(part, "inlinees", 3);
    for (size_t i = 0; i < inlinees && part.ok(); ++i) {
      uint32_t name = number(part, names_.size() - 1, "name");
      number(part, files_.size() - 1, "file");
      part.uleb32();
      inlinees_.push_back({names_[name]});
    }
  }

  void readFunctions(ByteCursor &part) {
    size_t functions = itemCount(part, "functions", 7);
    uint64_t index = 0;
    uint64_t end = 0;
    uint64_t id = firstFunctionId - 1;
    for (size_t i = 0; i < functions && part.ok(); ++i) {
      index += uint64_t(part.uleb32()) + (i > 0);
      uint32_t further = part.uleb32();
      id += further;
      number(part, names_.size() - 1, "name");
      uint32_t file = number(part, files_.size() - 1, "file");
      uint32_t line = part.uleb32();
      uint64_t start = part.uleb32();
      uint32_t size = part.uleb32();
      if (part.ok() && (index > UINT32_MAX || id > INT32_MAX || start + size > UINT32_MAX))
        part.fail("function " + Twine(index) + " of id " + Twine(id) + ", at " + Twine(start) +
                  " with " + Twine(size) + " bytes, is beyond the limits");
      if (part.ok() && start < end)
        part.fail("function " + Twine(index) + " at " + Twine(start) +
                  " begins in the one before, which ends at " + Twine(end));
      end = start + size;
      if (!part.ok())
        return;
      bodies_.push_back({size, further > 0 ? places_.functions.size() : noFunction});
      if (further > 0)
        places_.functions.push_back({int32_t(id), files_[file], line});
    }
  }

  void readInlined(ByteCursor &part) {
    uint64_t function = 0;
    for (bool isFirst = true; part.ok() && !part.atEnd(); isFirst = false) {
      function += uint64_t(part.uleb32()) + !isFirst;
      if (part.ok() && function >= bodies_.size())
        part.fail("there is no function " + Twine(function) + ", of " + Twine(bodies_.size()));
      if (part.ok())
        readCalls(part, bodies_[function]);
    }
  }

  /// A function's inlined code: how much each call has, those in it included.
  void readCalls(ByteCursor &part, const Body &body) {
    struct Call {
      uint32_t around; // 0: the function itself
      uint32_t name;
      uint32_t nesting;
      uint64_t code;
    };
    std::vector<Call> calls{{0, 0, 0, 0}};
    size_t callCount = count(part, "calls", 5);
    for (size_t i = 1; i <= callCount && part.ok(); ++i) {
      uint32_t back = number(part, i, "call back");
      uint32_t inlinee = number(part, inlinees_.size(), "inlinee");
      number(part, files_.size() - 1, "file");
      part.uleb32(); // line
      part.uleb32(); // column
      if (part.ok() && (back == 0 || inlinee == 0))
        part.fail("call " + Twine(i) + " has no " + (back == 0 ? "place" : "inlinee"));
      if (!part.ok())
        return;
      auto around = uint32_t(i - back);
      calls.push_back({around, inlinees_[inlinee - 1].name, calls[around].nesting + 1, 0});
      if (calls.back().nesting > maxNesting)
        return part.fail("more than " + Twine(maxNesting) + " calls in each other");
    }
    size_t changes = count(part, "changes", 2);
    uint64_t at = 0;
    uint32_t current = 0;
    for (size_t i = 0; i < changes && part.ok(); ++i) {
      uint32_t advance = part.uleb32();
      uint32_t next = number(part, calls.size() - 1, "call");
      if (part.ok() && ((i > 0 && advance == 0) || at + advance >= body.size))
        part.fail("change " + Twine(i) + " lies outside of the function or does not rise");
      calls[current].code += advance;
      at += advance;
      current = next;
    }
    if (!part.ok())
      return;
    calls[current].code += body.size - at;
    for (size_t i = calls.size() - 1; i > 0; --i)
      calls[calls[i].around].code += calls[i].code;
    if (body.function == noFunction)
      return;
    MapVector<uint32_t, uint64_t> codeOfName;
    for (const Call &call : ArrayRef(calls).drop_front())
      if (call.name != 0)
        codeOfName[call.name] += call.code;
    SmallVector<std::pair<uint32_t, uint64_t>> inlined(codeOfName.begin(), codeOfName.end());
    // Not stable_sort, whose buffer libstdc++ takes by a function that is deprecated.
    SmallVector<size_t> largestFirst(inlined.size());
    std::iota(largestFirst.begin(), largestFirst.end(), size_t(0));
    llvm::sort(largestFirst, [&](size_t a, size_t b) {
      return std::pair(inlined[b].second, a) < std::pair(inlined[a].second, b);
    });
    SourcePlaces::Function &function = places_.functions[body.function];
    function.firstInlined = uint32_t(places_.inlined.size());
    function.inlinedCount = uint32_t(largestFirst.size());
    for (size_t i : largestFirst)
      places_.inlined.push_back(inlined[i].first);
  }

  ByteCursor cursor_;
  SourcePlaces places_;
  /// Texts by number; 0 is the empty one.
  std::vector<uint32_t> files_{0}, names_{0};
  std::vector<Inlinee> inlinees_;
  std::vector<Body> bodies_;
};

} // namespace

Expected<SourcePlaces> warpo::readPlaces(StringRef contents) {
  ByteCursor cursor(arrayRefFromStringRef(contents));
  uint8_t version = cursor.u8();
  uint32_t size = cursor.uleb32();
  if (Error error = cursor.takeError("places"))
    return error;
  if (version != placesVersion)
    return makeError("version " + Twine(unsigned(version)) +
                     " of source places is not known (known: " + Twine(unsigned(placesVersion)) +
                     ")");
  if (size > maxPlacesSize)
    return makeError("source places of " + Twine(size) + " bytes, the most are " +
                     Twine(maxPlacesSize));
  if (!compression::zstd::isAvailable())
    return makeError("source places are compressed with zstd, which this build does not know");
  SmallVector<uint8_t, 0> bytes;
  // A byte more, so that a longer one shows.
  bytes.resize_for_overwrite(size_t(size) + 1);
  size_t found = bytes.size();
  if (Error error =
          compression::zstd::decompress(cursor.bytes(cursor.remaining()), bytes.data(), found))
    return error;
  if (found != size)
    return makeError("source places of " + Twine(found) + " bytes, where " + Twine(size) +
                     " are announced");
  auto places = PlacesReader(ArrayRef(bytes).take_front(size)).read();
  if (places)
    places->contents = contents.str();
  return places;
}
