//===- PlacesReader.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PlaceParts.h"
#include "warpo/Support/ByteCursor.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/Compression.h"

using namespace llvm;
using namespace warpo;

namespace {

class PartReader {
public:
  PartReader(ByteCursor &cursor, PlaceLines lines) : cursor_(cursor), lines_(lines) {}

  ModulePlaces read() {
    uint32_t last = 0;
    while (cursor_.ok() && !cursor_.atEnd()) {
      uint32_t kind = cursor_.uleb32();
      if (cursor_.ok() && kind <= last)
        cursor_.fail("part " + Twine(kind) + " behind part " + Twine(last));
      last = kind;
      uint32_t size = cursor_.uleb32();
      uint64_t offset = cursor_.offset();
      part_ = ByteCursor(cursor_.bytes(size), offset);
      if (cursor_.ok())
        readPart(kind);
      cursor_.adoptFailure(part_);
    }
    return std::move(places_);
  }

private:
  void readPart(uint32_t kind) {
    switch (kind) {
    case place_parts::about:
      places_.origin = part_.sizedString().str();
      places_.code = part_.uleb32();
      break;
    case place_parts::files:
      readTexts(places_.files);
      break;
    case place_parts::names:
      readTexts(places_.names);
      break;
    case place_parts::inlinees:
      for (uint32_t count = readCount(); count-- && part_.ok();) {
        uint32_t name = readNumber("name", places_.names.size());
        uint32_t file = readNumber("file", places_.files.size());
        places_.inlinees.push_back({name, file, part_.uleb32()});
      }
      break;
    case place_parts::functions:
      for (uint32_t count = readCount(maxPlaceItems); count-- && part_.ok();)
        readFunction();
      break;
    case place_parts::inlined:
      forEachNamed([this](FunctionPlaces &function) { readInlined(function); });
      break;
    case place_parts::lines:
      if (lines_ == PlaceLines::read)
        forEachNamed([this](FunctionPlaces &function) { readRows(function); });
      break;
    case place_parts::map:
      places_.map = CodeMap::read(part_, maxCodeRuns);
      break;
    case place_parts::sites:
      if (lines_ == PlaceLines::read)
        forEachNamed([this](FunctionPlaces &function) { readSites(function); });
      break;
    case place_parts::costs:
      if (lines_ == PlaceLines::read)
        forEachNamed([this](FunctionPlaces &function) {
          for (size_t number = 0; number <= function.calls.size() && part_.ok(); ++number)
            function.costs.push_back(part_.uleb32());
        });
      break;
    }
  }

  /// A count of items, each of which takes a byte or more.
  uint32_t readCount(uint32_t most = UINT32_MAX) {
    uint32_t count = part_.uleb32();
    if (part_.ok() && count > std::min<uint64_t>(most, part_.remaining()))
      part_.fail(Twine(count) + " items in " + Twine(part_.remaining()) + " bytes");
    return part_.ok() ? count : 0;
  }

  /// Of one of so many; 0 for none.
  uint32_t readNumber(StringRef what, size_t known) {
    uint32_t number = part_.uleb32();
    if (number <= known)
      return number;
    part_.fail(what + " " + Twine(number) + " of " + Twine(known));
    return 0;
  }

  /// The sum, which stays below `limit`.
  uint32_t readFurther(uint64_t from, uint64_t limit, StringRef what) {
    uint64_t sum = from + part_.uleb32();
    if (sum < limit)
      return uint32_t(sum);
    part_.fail(what + " " + Twine(sum) + " is not below " + Twine(limit));
    return 0;
  }

  void readTexts(std::vector<std::string> &texts) {
    for (uint32_t count = readCount(maxPlaceItems); count-- && part_.ok();)
      texts.push_back(part_.sizedString().str());
  }

  void readFunction() {
    FunctionPlaces function;
    function.index = readFurther(nextIndex_, UINT32_MAX, "function");
    nextIndex_ = uint64_t(function.index) + 1;
    if (uint32_t more = part_.uleb32()) {
      uint64_t id = uint64_t(lastId_) + more;
      if (id > INT32_MAX)
        part_.fail("the id " + Twine(id));
      lastId_ = function.id = int32_t(id);
    }
    function.name = readNumber("name", places_.names.size());
    function.file = readNumber("file", places_.files.size());
    function.line = part_.uleb32();
    function.start = part_.uleb32();
    function.size = part_.uleb32();
    if (part_.ok() && function.start < end_)
      part_.fail("a function at " + Twine(function.start) + ", in the one before");
    end_ = uint64_t(function.start) + function.size;
    if (part_.ok() && end_ > UINT32_MAX)
      part_.fail("a function that ends at " + Twine(end_));
    places_.functions.push_back(std::move(function));
  }

  void forEachNamed(function_ref<void(FunctionPlaces &)> read) {
    for (uint64_t next = 0; part_.ok() && !part_.atEnd(); ++next) {
      next = readFurther(next, places_.functions.size(), "the place of a function");
      if (part_.ok())
        read(places_.functions[next]);
    }
  }

  void readInlined(FunctionPlaces &function) {
    uint32_t calls = readCount();
    std::vector<uint32_t> depths(1);
    for (uint32_t number = 1; number <= calls && part_.ok(); ++number) {
      InlinedCall call;
      uint32_t back = part_.uleb32();
      if (part_.ok() && (back == 0 || back > number))
        part_.fail("call " + Twine(number) + " in the one " + Twine(back) + " before it");
      if (!part_.ok())
        return;
      call.around = number - back;
      depths.push_back(depths[call.around] + 1);
      if (depths.back() > maxInlinedDepth)
        part_.fail("calls deeper than " + Twine(maxInlinedDepth));
      call.inlinee = readNumber("inlinee", places_.inlinees.size());
      call.file = readNumber("file", places_.files.size());
      call.line = part_.uleb32();
      call.column = part_.uleb32();
      function.calls.push_back(call);
    }
    uint64_t last = function.start;
    for (uint32_t count = readCount(); count-- && part_.ok();) {
      CallChange change;
      change.offset = readOffset(function, last, function.changes.empty());
      change.call = readNumber("call", function.calls.size());
      function.changes.push_back(change);
    }
  }

  /// An offset behind `last`, or equal to it if that is allowed, as for the first of all.
  uint32_t readOffset(const FunctionPlaces &function, uint64_t &last, bool mayRepeat) {
    uint64_t limit = uint64_t(function.start) + function.size;
    uint32_t offset = readFurther(last, limit, "offset");
    if (part_.ok() && !mayRepeat && offset == last)
      part_.fail("offset " + Twine(offset) + " twice");
    last = offset;
    return offset;
  }

  void readRows(FunctionPlaces &function) {
    place_parts::LastPlaces lastPlaces(places_, function);
    ArrayRef<CallChange> changes = function.changes;
    uint32_t call = 0;
    uint64_t lastOffset = function.start;
    for (uint32_t count = readCount(); count-- && part_.ok();) {
      LineRow row;
      row.offset = readOffset(function, lastOffset, function.rows.empty());
      for (; !changes.empty() && changes.front().offset <= row.offset;
           changes = changes.drop_front())
        call = changes.front().call;
      place_parts::LastPlaces::Place &last = lastPlaces[call];
      uint64_t change = part_.uleb64();
      row.file = change & 1 ? readNumber("file", places_.files.size()) : last.file;
      int64_t line =
          change >> 35 ? -1 : int64_t(last.line) + place_parts::differenceOf(change >> 1);
      if (line < 0 || line > UINT32_MAX)
        part_.fail("an invalid line");
      if (!part_.ok())
        return;
      row.line = uint32_t(line);
      if (row.line)
        last = {row.file, row.line};
      else
        row.file = 0;
      function.rows.push_back(row);
    }
  }

  void readSites(FunctionPlaces &function) {
    uint64_t last = function.start;
    for (uint32_t count = readCount(); count-- && part_.ok();) {
      CallInCode site;
      site.offset = readOffset(function, last, /*mayRepeat=*/true);
      uint32_t number = part_.uleb32();
      if (std::optional<CallTarget> target = CallTarget::fromNumber(number))
        site.target = *target;
      else
        part_.fail("call of the target " + Twine(number));
      function.sites.push_back(site);
    }
  }

  ByteCursor &cursor_;
  PlaceLines lines_;
  ByteCursor part_{{}};
  ModulePlaces places_;
  uint64_t nextIndex_ = 0;
  uint64_t end_ = 0;
  int32_t lastId_ = place_parts::beforeFirstId;
};

} // namespace

std::optional<uint32_t> warpo::placePartsSize(ArrayRef<uint8_t> contents) {
  ByteCursor cursor(contents);
  uint8_t version = cursor.u8();
  if (cursor.ok() && version != place_parts::version)
    return std::nullopt;
  uint32_t size = cursor.uleb32();
  return cursor.ok() ? size : 0;
}

Expected<ModulePlaces> warpo::decodePlaceParts(ArrayRef<uint8_t> bytes, StringRef file,
                                               PlaceLines lines) {
  ByteCursor cursor(bytes);
  ModulePlaces places = PartReader(cursor, lines).read();
  if (Error error = cursor.takeError(file))
    return error;
  return places;
}

Expected<ModulePlaces> warpo::decodePlaces(ArrayRef<uint8_t> contents, StringRef file,
                                           PlaceLines lines) {
  ByteCursor cursor(contents);
  uint8_t version = cursor.u8();
  if (cursor.ok() && version != place_parts::version)
    return fileError(file, "source places of version " + Twine(unsigned(version)) + ", not " +
                               Twine(unsigned(place_parts::version)));
  uint32_t size = cursor.uleb32();
  if (size > place_parts::maxParts)
    cursor.fail("source places of " + Twine(size) + " bytes");
  if (Error error = cursor.takeError(file))
    return error;
  SmallVector<uint8_t, 0> parts;
  if (Error error = compression::zstd::decompress(cursor.bytes(cursor.remaining()), parts, size))
    return fileError(file, "source places: " + toString(std::move(error)));
  if (parts.size() != size)
    return fileError(file,
                     "source places of " + Twine(parts.size()) + " bytes, not " + Twine(size));
  return decodePlaceParts(parts, file, lines);
}
