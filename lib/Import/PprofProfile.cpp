//===- PprofProfile.cpp - Reads profiles of pprof -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One message of Output/pprof/profile.proto, out of its gzip file already. Locations, mappings and
// functions refer to each other by ids that may be any numbers.
//
//===----------------------------------------------------------------------===//

#include "Amount.h"
#include "ImportedProfile.h"
#include "pprof/profile.pb.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Support/ByteCursor.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <unordered_map>

using namespace llvm;
using namespace warpo;

namespace {

class Reader {
public:
  Reader(const pprof::Profile &file, StringRef name) : file_(file), name_(name) {
    for (const pprof::Mapping &mapping : file.mapping())
      modules_.try_emplace(mapping.id(), textAt(mapping.filename()));
    for (const pprof::Function &function : file.function())
      functions_.try_emplace(function.id(), &function);
  }

  Expected<Profile> read() {
    for (const pprof::ValueType &type : file_.sample_type())
      addWeight(textAt(type.type()), textAt(type.unit()));
    if (Error error = readLocations())
      return error;
    for (const auto &[i, sample] : enumerate(file_.sample()))
      if (Error error = readSample(sample, i))
        return error;
    auto profile = profile_.take(name_);
    if (!profile)
      return profile;
    StringRef shown = textAt(file_.default_sample_type());
    for (const auto &[type, weight] : zip(file_.sample_type(), weights_))
      if (!shown.empty() && textAt(type.type()) == shown)
        profile->shown = weight.index;
    if (file_.period() > 0 && file_.has_period_type())
      profile->samplePeriod = periodOf();
    return profile;
  }

private:
  struct Weight {
    WeightIndex index;
    uint64_t scale;
  };
  /// The frames of a location, outermost first: these of frames_.
  struct Location {
    size_t first, size;
  };

  StringRef textAt(int64_t index) const {
    return index > 0 && index < file_.string_table_size()
               ? StringRef(file_.string_table(int(index)))
               : StringRef();
  }

  static std::string unitOf(StringRef name, StringRef unit) {
    return nanosecondsOf(unit) ? "ns" : (unit == "count" ? name : unit).str();
  }

  void addWeight(StringRef name, StringRef unit) {
    weights_.push_back(
        {profile_.weight(name, unitOf(name, unit)), nanosecondsOf(unit).value_or(1)});
  }

  SamplePeriod periodOf() const {
    StringRef name = textAt(file_.period_type().type());
    StringRef unit = textAt(file_.period_type().unit());
    return {.name = (nanosecondsOf(unit) ? StringRef(Measure::timeClock) : name).str(),
            .unit = unitOf(name, unit),
            .amount = *amountOf(file_.period(), nanosecondsOf(unit).value_or(1))};
  }

  Error readLocations() {
    for (const pprof::Location &location : file_.location()) {
      Location added{frames_.size(), size_t(std::max(location.line_size(), 1))};
      auto mapping = modules_.find(location.mapping_id());
      StringRef module = mapping == modules_.end() ? StringRef() : mapping->second;
      if (location.line_size() == 0)
        frames_.push_back(profile_.function(
            {.name = "0x" + utohexstr(location.address(), true), .module = module}));
      for (const pprof::Line &line : reverse(location.line())) {
        auto function = functions_.find(line.function_id());
        if (function == functions_.end())
          return fileError(name_, "location " + Twine(location.id()) + " has function " +
                                      Twine(line.function_id()) + ", which the file has not");
        frames_.push_back(functionOf(*function->second, line, module));
      }
      if (!locations_.try_emplace(location.id(), added).second)
        return fileError(name_, "two locations " + Twine(location.id()));
    }
    return Error::success();
  }

  FunctionIndex functionOf(const pprof::Function &function, const pprof::Line &line,
                           StringRef module) {
    auto lineOf = [](int64_t number) {
      return uint32_t(std::clamp<int64_t>(number, 0, UINT32_MAX));
    };
    StringRef file = textAt(function.filename());
    uint32_t executed = lineOf(line.line());
    uint32_t first = lineOf(function.start_line());
    return profile_.function({.name = textAt(function.name()),
                              .module = module,
                              .file = file,
                              .line = first,
                              .executedFile = executed == first ? "" : file,
                              .executedLine = executed == first ? 0 : executed});
  }

  Error readSample(const pprof::Sample &sample, size_t number) {
    if (sample.value_size() != file_.sample_type_size())
      return fileError(name_, "sample " + Twine(number) + " has " + Twine(sample.value_size()) +
                                  " values, for " + Twine(file_.sample_type_size()) + " weights");
    NodeIndex node = ContextTree::root;
    for (uint64_t id : reverse(sample.location_id())) {
      if (profile_.hasFailed())
        break;
      auto location = locations_.find(id);
      if (location == locations_.end())
        return fileError(name_, "sample " + Twine(number) + " has location " + Twine(id) +
                                    ", which the file has not");
      for (FunctionIndex function :
           ArrayRef(frames_).slice(location->second.first, location->second.size))
        node = profile_.child(node, function);
    }
    for (const auto &[weight, value] : zip(weights_, sample.value())) {
      std::optional<uint64_t> amount = amountOf(value, weight.scale);
      if (!amount)
        return fileError(name_, "sample " + Twine(number) + " has the value " + Twine(value) +
                                    ": differences cannot be read");
      profile_.add(node, weight.index, *amount);
    }
    return Error::success();
  }

  const pprof::Profile &file_;
  StringRef name_;
  ImportedProfile profile_;
  std::vector<Weight> weights_;
  // By ids, which are any numbers: DenseMap keeps two of them for itself.
  std::unordered_map<uint64_t, StringRef> modules_;
  std::unordered_map<uint64_t, const pprof::Function *> functions_;
  std::unordered_map<uint64_t, Location> locations_;
  std::vector<FunctionIndex> frames_;
};

/// Fields of protobuf; a message shows the first.
class FieldCursor {
public:
  explicit FieldCursor(ArrayRef<uint8_t> bytes) : cursor_(bytes) {}

  enum Type : uint8_t { varint = 0, bytes = 2 };
  struct Field {
    uint64_t number;
    Type type;
    /// Of `bytes`, as far as they are visible.
    ArrayRef<uint8_t> content;
  };
  /// Nothing at the end, and for what is no field; ok() tells these apart.
  std::optional<Field> next() {
    if (cursor_.atEnd())
      return std::nullopt;
    uint64_t key = cursor_.uleb64();
    Field field{key >> 3, Type(key & 7), {}};
    if (cursor_.ok() && field.type != varint && field.type != bytes)
      cursor_.fail("no field of a profile");
    uint64_t value = cursor_.uleb64();
    if (cursor_.ok() && field.type == bytes)
      field.content = cursor_.bytes(std::min<uint64_t>(value, cursor_.remaining()));
    return cursor_.ok() ? std::optional(field) : std::nullopt;
  }
  bool ok() const { return cursor_.ok(); }

private:
  ByteCursor cursor_;
};

/// Fields stand in any order: each that is visible must be one of a profile, and a weight's type
/// must be made of two numbers.
bool looksLikeProfile(ArrayRef<uint8_t> start) {
  // By their numbers, from 1; that of the comments may be either.
  static constexpr StringLiteral types = "bbbbbbvvvvbv?v";
  size_t fields = 0;
  FieldCursor cursor(start);
  while (std::optional<FieldCursor::Field> field = cursor.next()) {
    if (field->number == 0 || field->number > types.size())
      return false;
    char type = types[field->number - 1];
    if (type != '?' && (type == 'b') != (field->type == FieldCursor::bytes))
      return false;
    if (field->number == 1) {
      FieldCursor inner(field->content);
      while (std::optional<FieldCursor::Field> number = inner.next())
        if (number->number > 2 || number->type != FieldCursor::varint)
          return false;
      if (!inner.ok())
        return false;
    }
    ++fields;
  }
  // The last one may go on behind what is visible.
  return fields > (cursor.ok() ? 1 : 2);
}

class PprofProfileFormat : public ProfileFormat {
public:
  bool sniff(ArrayRef<uint8_t> start) const override { return looksLikeProfile(start); }
  Expected<Profile> read(ArrayRef<uint8_t> bytes, StringRef name) override {
    pprof::Profile file;
    if (bytes.size() > size_t(std::numeric_limits<int>::max()) ||
        !file.ParseFromArray(bytes.data(), int(bytes.size())))
      return fileError(name, "no profile of pprof: the message is damaged or cut off");
    return Reader(file, name).read();
  }
};

warpo::Registry<ProfileFormat>::Add<PprofProfileFormat>
    registration("pprof", "of Go, of profilers that speak pprof; gzip or plain");

} // namespace
