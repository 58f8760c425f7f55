//===- PprofProfile.cpp - Reads profiles of pprof -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One message of Output/pprof/profile.proto, already decompressed. Locations, mappings and
// functions refer to each other by ids that may be any numbers. Does not use protobuf's classes:
// for empty messages, they take some fifty times the memory of the file.
//
//===----------------------------------------------------------------------===//

#include "Amount.h"
#include "FieldCursor.h"
#include "ImportedProfile.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <unordered_map>

using namespace llvm;
using namespace warpo;

namespace {

using Field = FieldCursor::Field;

/// A type of sample values, with indices of strings.
struct ValueType {
  int64_t name = 0;
  int64_t unit = 0;
};

/// Makes three passes over the message, and keeps no samples: empty ones take only two bytes in a
/// file.
class Reader {
public:
  Reader(ArrayRef<uint8_t> file, StringRef name) : file_(file), name_(name) {}

  Expected<Profile> read() {
    if (Error error = forEachField(file_, [&](const Field &field) { return readTable(field); }))
      return error;
    for (ValueType type : types_)
      weights_.push_back({profile_.weight(textAt(type.name), unitOf(type)),
                          nanosecondsOf(textAt(type.unit)).value_or(1)});
    if (Error error = forEachMessage(4, [&](const Field &field) { return readLocation(field); }))
      return error;
    if (Error error = forEachMessage(2, [&](const Field &field) { return readSample(field); }))
      return error;
    auto profile = profile_.take(name_);
    if (!profile)
      return profile;
    StringRef shown = textAt(shownType_);
    for (const auto &[type, weight] : zip(types_, weights_))
      if (!shown.empty() && textAt(type.name) == shown)
        profile->shown = weight.index;
    if (period_ > 0 && periodType_)
      profile->samplePeriod = periodOf(*periodType_);
    return profile;
  }

private:
  static constexpr size_t maxStrings = size_t(1) << 24;
  static constexpr size_t maxEntries = ImportedProfile::maxFunctions;

  /// Indices of strings.
  struct Weight {
    WeightIndex index;
    uint64_t scale;
  };
  struct Function {
    int64_t name = 0;
    int64_t file = 0;
    int64_t firstLine = 0;
  };
  /// The frames of a location, outermost first: a range of frames_.
  struct Location {
    size_t first, size;
  };

  Error fail(const Twine &message) const { return fileError(name_, message); }
  Error failDamaged() const {
    return fail("not a profile of pprof: the message is damaged or cut off");
  }
  Error failTooMany(size_t most, StringRef what) const {
    return fail("it has more than " + Twine(most) + " " + what);
  }

  template <typename F> Error forEachField(ArrayRef<uint8_t> message, F take) const {
    FieldCursor cursor(message);
    while (std::optional<Field> field = cursor.next()) {
      if (field->isCut())
        return failDamaged();
      if (Error error = take(*field))
        return error;
    }
    return cursor.ok() ? Error::success() : failDamaged();
  }
  /// Visits the messages of the file with this field number.
  template <typename F> Error forEachMessage(uint64_t number, F take) const {
    return forEachField(file_, [&](const Field &field) {
      bool isWanted = field.number == number && field.type == FieldCursor::bytes;
      return isWanted ? take(field) : Error::success();
    });
  }
  /// Visits the numbers of a repeated field: one, or many packed in one field.
  template <typename F> Error forEachNumber(const Field &field, F take) const {
    if (field.type != FieldCursor::bytes)
      return take(field.value), Error::success();
    ByteCursor cursor(field.content);
    while (!cursor.atEnd() && cursor.ok())
      if (uint64_t number = cursor.uleb64(); cursor.ok())
        take(number);
    return cursor.ok() ? Error::success() : failDamaged();
  }

  StringRef textAt(int64_t index) const {
    return index > 0 && size_t(index) < strings_.size() ? strings_[size_t(index)] : StringRef();
  }

  // Locations and samples may refer to later messages.
  Error readTable(const Field &field) {
    switch (field.number) {
    case 1:
      if (types_.size() == ImportedProfile::maxWeights)
        return failTooMany(ImportedProfile::maxWeights, "weights");
      return readValueType(field, types_.emplace_back());
    case 3:
      return readMapping(field);
    case 5:
      return readFunction(field);
    case 6:
      if (strings_.size() == maxStrings)
        return failTooMany(maxStrings, "strings");
      strings_.push_back(field.text());
      return Error::success();
    case 11:
      return readValueType(field, periodType_.emplace());
    case 12:
      period_ = field.number64();
      return Error::success();
    case 14:
      shownType_ = field.number64();
      return Error::success();
    default:
      return Error::success();
    }
  }

  Error readValueType(const Field &message, ValueType &type) const {
    return forEachField(message.content, [&](const Field &field) {
      if (field.number == 1)
        type.name = field.number64();
      else if (field.number == 2)
        type.unit = field.number64();
      return Error::success();
    });
  }

  Error readMapping(const Field &message) {
    if (mappings_.size() == maxEntries)
      return failTooMany(maxEntries, "mappings");
    uint64_t id = 0;
    int64_t file = 0;
    Error error = forEachField(message.content, [&](const Field &field) {
      if (field.number == 1)
        id = field.value;
      else if (field.number == 5)
        file = field.number64();
      return Error::success();
    });
    mappings_.try_emplace(id, file);
    return error;
  }

  Error readFunction(const Field &message) {
    if (functions_.size() == maxEntries)
      return failTooMany(maxEntries, "functions");
    uint64_t id = 0;
    Function function;
    Error error = forEachField(message.content, [&](const Field &field) {
      if (field.number == 1)
        id = field.value;
      else if (field.number == 2)
        function.name = field.number64();
      else if (field.number == 4)
        function.file = field.number64();
      else if (field.number == 5)
        function.firstLine = field.number64();
      return Error::success();
    });
    functions_.try_emplace(id, function);
    return error;
  }

  std::string unitOf(ValueType type) const {
    StringRef unit = textAt(type.unit);
    return nanosecondsOf(unit) ? "ns" : (unit == "count" ? textAt(type.name) : unit).str();
  }

  SamplePeriod periodOf(ValueType type) const {
    std::optional<uint64_t> scale = nanosecondsOf(textAt(type.unit));
    return {.name = (scale ? StringRef(Measure::timeClock) : textAt(type.name)).str(),
            .unit = unitOf(type),
            .amount = *amountOf(period_, scale.value_or(1))};
  }

  struct Line {
    uint64_t function = 0;
    int64_t number = 0;
  };

  Error readLocation(const Field &message) {
    if (locations_.size() == maxEntries)
      return failTooMany(maxEntries, "locations");
    uint64_t id = 0, mapping = 0, address = 0;
    // Like for locations on a stack, more lines fail anyway.
    std::vector<Line> lines;
    Error error = forEachField(message.content, [&](const Field &field) -> Error {
      if (field.number == 1)
        id = field.value;
      else if (field.number == 2)
        mapping = field.value;
      else if (field.number == 3)
        address = field.value;
      else if (field.number == 4 && lines.size() <= ImportedProfile::maxContexts)
        return readLine(field, lines.emplace_back());
      return Error::success();
    });
    if (error)
      return error;
    Location added{frames_.size(), std::max<size_t>(lines.size(), 1)};
    auto known = mappings_.find(mapping);
    StringRef module = known == mappings_.end() ? StringRef() : textAt(known->second);
    if (lines.empty())
      frames_.push_back(
          profile_.function({.name = "0x" + utohexstr(address, true), .module = module}));
    for (const Line &line : reverse(lines)) {
      auto function = functions_.find(line.function);
      if (function == functions_.end())
        return fail("location " + Twine(id) + " has function " + Twine(line.function) +
                    ", which the file does not have");
      frames_.push_back(functionOf(function->second, line.number, module));
    }
    if (!locations_.try_emplace(id, added).second)
      return fail("two locations " + Twine(id));
    return Error::success();
  }

  Error readLine(const Field &message, Line &line) const {
    return forEachField(message.content, [&](const Field &field) {
      if (field.number == 1)
        line.function = field.value;
      else if (field.number == 2)
        line.number = field.number64();
      return Error::success();
    });
  }

  FunctionIndex functionOf(const Function &function, int64_t line, StringRef module) {
    auto lineOf = [](int64_t number) {
      return uint32_t(std::clamp<int64_t>(number, 0, UINT32_MAX));
    };
    StringRef file = textAt(function.file);
    uint32_t executed = lineOf(line);
    uint32_t first = lineOf(function.firstLine);
    return profile_.function({.name = textAt(function.name),
                              .module = module,
                              .file = file,
                              .line = first,
                              .executedFile = executed == first ? "" : file,
                              .executedLine = executed == first ? 0 : executed});
  }

  Error readSample(const Field &message) {
    stack_.clear();
    values_.clear();
    size_t values = 0;
    size_t number = samples_++;
    // More locations than the limit of contexts fail anyway.
    auto addLocation = [&](uint64_t id) {
      if (stack_.size() <= ImportedProfile::maxContexts)
        stack_.push_back(id);
    };
    auto addValue = [&](uint64_t value) {
      if (++values <= weights_.size())
        values_.push_back(int64_t(value));
    };
    Error error = forEachField(message.content, [&](const Field &field) {
      if (field.number == 1)
        return forEachNumber(field, addLocation);
      return field.number == 2 ? forEachNumber(field, addValue) : Error::success();
    });
    if (error)
      return error;
    if (values != weights_.size())
      return fail("sample " + Twine(number) + " has " + Twine(values) + " values, for " +
                  Twine(weights_.size()) + " weights");
    NodeIndex node = ContextTree::root;
    for (uint64_t id : reverse(stack_)) {
      if (profile_.hasFailed())
        break;
      auto location = locations_.find(id);
      if (location == locations_.end())
        return fail("sample " + Twine(number) + " has location " + Twine(id) +
                    ", which the file does not have");
      for (FunctionIndex function :
           ArrayRef(frames_).slice(location->second.first, location->second.size))
        node = profile_.child(node, function);
    }
    for (const auto &[weight, value] : zip(weights_, values_)) {
      std::optional<uint64_t> amount = amountOf(value, weight.scale);
      if (!amount)
        return fail("sample " + Twine(number) + " has the value " + Twine(value) +
                    ": differences cannot be read");
      profile_.add(node, weight.index, *amount);
    }
    return Error::success();
  }

  ArrayRef<uint8_t> file_;
  StringRef name_;
  ImportedProfile profile_;
  std::vector<StringRef> strings_;
  std::vector<ValueType> types_;
  std::vector<Weight> weights_;
  std::optional<ValueType> periodType_;
  int64_t period_ = 0;
  int64_t shownType_ = 0;
  // By id, which may be any number: DenseMap reserves two.
  std::unordered_map<uint64_t, int64_t> mappings_;
  std::unordered_map<uint64_t, Function> functions_;
  std::unordered_map<uint64_t, Location> locations_;
  std::vector<FunctionIndex> frames_;
  /// The current sample, and the number of samples read.
  std::vector<uint64_t> stack_;
  std::vector<int64_t> values_;
  size_t samples_ = 0;
};

/// Fields may have any order: each available one must be a field of a profile, and a weight's type
/// must consist of two numbers.
bool looksLikeProfile(ArrayRef<uint8_t> start) {
  // Types by field number, from 1 on; comments may have either type.
  static constexpr StringLiteral types = "bbbbbbvvvvbv?v";
  size_t fields = 0;
  FieldCursor cursor(start);
  while (std::optional<Field> field = cursor.next()) {
    if (field->number == 0 || field->number > types.size())
      return false;
    char type = types[field->number - 1];
    bool isBytes = field->type == FieldCursor::bytes;
    if ((!isBytes && field->type != FieldCursor::varint) ||
        (type != '?' && (type == 'b') != isBytes))
      return false;
    if (field->number == 1) {
      FieldCursor inner(field->content);
      while (std::optional<Field> number = inner.next())
        if (number->number > 2 || number->type != FieldCursor::varint)
          return false;
      if (!inner.ok())
        return false;
    }
    ++fields;
  }
  // The last field may be truncated.
  return fields > (cursor.ok() ? 1 : 2);
}

class PprofProfileFormat : public ProfileFormat {
public:
  bool sniff(ArrayRef<uint8_t> start) const override { return looksLikeProfile(start); }
  Expected<Profile> read(ArrayRef<uint8_t> bytes, StringRef name) override {
    return Reader(bytes, name).read();
  }
};

warpo::Registry<ProfileFormat>::Add<PprofProfileFormat>
    registration("pprof", "profiles of Go and other profilers, gzip or plain");

} // namespace
