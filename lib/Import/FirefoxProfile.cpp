//===- FirefoxProfile.cpp - Reads the Firefox Profiler's profiles ---------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file   := {"meta": {"interval": ms, "preprocessedProfileVersion"}, "threads": [thread],
//              "shared": tables?}
//   thread := {"name", "samples": {"stack", "weight"?, "weightType"?}, tables?}
//   tables := "stackTable": {"prefix", "frame"}, "frameTable": {"func", "line"}, "funcTable":
//             {"name", "fileName" or "source", "lineNumber", "resource"}, "resourceTable":
//             {"name"}, "sources": {"filename"}?, "stringArray"
//
// Written by wasmtime's `--profile=guest`, samply and our own backend: columns of indices into
// other tables. Up to version 55 each thread has its own tables. The threads in our own files are
// weights, those in others are added up.
//
//===----------------------------------------------------------------------===//

#include "Amount.h"
#include "ImportedProfile.h"
#include "JsonDocument.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

static constexpr uint64_t nanosecondsAMillisecond = 1'000'000;
// The version that the reader was written for. Later ones may be the same in the fields that it
// reads.
static constexpr int64_t lastKnownVersion = 61;

namespace {

class Reader {
public:
  Reader(JsonValue file, StringRef name) : file_(file), name_(name) {
    JsonValue meta = file["meta"];
    isOurs_ = meta["importedFrom"].text() == "warpo";
    interval_ = amountOf(meta["interval"].number().value_or(0), nanosecondsAMillisecond);
  }

  Expected<Profile> read() {
    if (JsonValue shared = file_["shared"])
      if (Error error = placeStacks(shared))
        return error;
    JsonColumn threads(file_, "threads");
    for (size_t i = 0; i < threads.size(); ++i) {
      JsonValue thread = threads[i];
      if (!thread.isObject())
        return fileError(name_, "thread " + Twine(i) + " is no object");
      if (thread["stackTable"].isObject())
        if (Error error = placeStacks(thread))
          return error;
      if (Error error = readSamples(thread, i))
        return error;
    }
    return profile_.take(name_);
  }

private:
  static Expected<FunctionIndex> wrong(StringRef file, size_t frame, const Twine &message) {
    return fileError(file, "frame " + Twine(frame) + " " + message);
  }

  /// Functions, one for each frame that a stack has.
  class Frames {
  public:
    Frames(JsonValue tables, ImportedProfile &profile)
        : profile_(profile), strings_(tables, "stringArray"),
          functions_(tables["frameTable"], "func"), lines_(tables["frameTable"], "line"),
          names_(tables["funcTable"], "name"), files_(tables["funcTable"], "fileName"),
          sources_(tables["funcTable"], "source"), firstLines_(tables["funcTable"], "lineNumber"),
          resources_(tables["funcTable"], "resource"), sourceFiles_(tables["sources"], "filename"),
          modules_(tables["resourceTable"], "name"), known_(functions_.size()) {
      if (strings_.size() == 0)
        strings_ = JsonColumn(tables, "stringTable");
    }

    Expected<FunctionIndex> find(uint64_t frame, StringRef name) {
      if (frame >= known_.size())
        return wrong(name, frame, "is not one of the " + Twine(known_.size()) + " frames");
      if (known_[frame])
        return *known_[frame];
      std::optional<uint64_t> function = functions_.number(frame);
      if (!function || *function >= names_.size())
        return wrong(name, frame, "is of none of the " + Twine(names_.size()) + " functions");
      std::optional<uint64_t> text = names_.number(*function);
      if (!text || *text >= strings_.size())
        return wrong(name, frame,
                     "has a name that is not one of the " + Twine(strings_.size()) + " strings");
      StringRef file = fileOf(*function);
      known_[frame] = profile_.function({.name = strings_.text(*text),
                                         .module = moduleOf(*function),
                                         .file = file,
                                         .line = lineAt(firstLines_, *function),
                                         .executedFile = lineAt(lines_, frame) ? file : "",
                                         .executedLine = lineAt(lines_, frame)});
      return *known_[frame];
    }

  private:
    static uint32_t lineAt(const JsonColumn &column, uint64_t index) {
      return uint32_t(std::min<uint64_t>(column.number(index).value_or(0), UINT32_MAX));
    }
    StringRef fileOf(uint64_t function) const {
      std::optional<uint64_t> text = files_.number(function);
      if (std::optional<uint64_t> source = sources_.number(function))
        text = sourceFiles_.number(*source);
      return text ? strings_.text(*text) : "";
    }
    StringRef moduleOf(uint64_t function) const {
      std::optional<uint64_t> resource = resources_.number(function);
      std::optional<uint64_t> text = resource ? modules_.number(*resource) : std::nullopt;
      return text ? strings_.text(*text) : "";
    }

    ImportedProfile &profile_;
    JsonColumn strings_;
    JsonColumn functions_, lines_;
    JsonColumn names_, files_, sources_, firstLines_, resources_;
    JsonColumn sourceFiles_, modules_;
    std::vector<std::optional<FunctionIndex>> known_;
  };

  Error placeStacks(JsonValue tables) {
    Frames frames(tables, profile_);
    JsonValue table = tables["stackTable"];
    JsonColumn prefixes(table, "prefix");
    JsonColumn frameOf(table, "frame");
    // Without it, each frame would be called from the host. Versions from 66 on have another
    // representation.
    if (prefixes.size() < frameOf.size())
      return fileError(name_, "its stackTable has " + Twine(frameOf.size()) + " frames and " +
                                  Twine(prefixes.size()) +
                                  " of the prefixes that say their callers");
    stacks_.clear();
    for (size_t i = 0; i < frameOf.size(); ++i) {
      std::optional<uint64_t> prefix = prefixes.number(i);
      if (prefix && *prefix >= i)
        return fileError(name_, "stack " + Twine(i) + " has a caller that comes after it, " +
                                    Twine(*prefix));
      std::optional<uint64_t> frame = frameOf.number(i);
      if (!frame)
        return fileError(name_, "stack " + Twine(i) + " has no frame");
      auto function = frames.find(*frame, name_);
      if (!function)
        return function.takeError();
      stacks_.push_back(
          profile_.child(prefix ? stacks_[*prefix] : NodeIndex(ContextTree::root), *function));
    }
    return Error::success();
  }

  Error readSamples(JsonValue thread, size_t number) {
    JsonValue samples = thread["samples"];
    JsonColumn stacks(samples, "stack");
    JsonColumn weights(samples, "weight");
    StringRef type = samples["weightType"].string().value_or("samples");
    bool isTime = type == "tracing-ms";
    std::optional<WeightIndex> weight;
    std::optional<WeightIndex> time;
    if (isOurs_)
      weight = ourWeight(thread, isTime);
    else if (isTime)
      weight = profile_.weight("time", "ns");
    else
      weight = profile_.weight(type, type);
    if (!isOurs_ && type == "samples" && interval_.value_or(0) > 0)
      time = profile_.weight("time", "ns");
    for (size_t i = 0; i < stacks.size(); ++i) {
      if (stacks[i].isNull())
        continue;
      std::optional<uint64_t> stack = stacks.number(i);
      if (!stack || *stack >= stacks_.size())
        return failAt(number, i, "has a stack that is not one of the " + Twine(stacks_.size()));
      JsonValue given = weights[i];
      std::optional<uint64_t> amount =
          given ? amountOf(given, isTime ? nanosecondsAMillisecond : 1) : 1;
      if (!amount)
        return failAt(number, i, "has a weight that is not a number from 0 on");
      profile_.add(stacks_[*stack], *weight, *amount);
      if (time)
        profile_.add(stacks_[*stack], *time, SaturatingMultiply(*amount, *interval_));
    }
    return Error::success();
  }

  Error failAt(size_t thread, size_t sample, const Twine &message) const {
    return fileError(name_,
                     "sample " + Twine(sample) + " of thread " + Twine(thread) + " " + message);
  }

  // `fuel (units)`, or a weight with its name as unit.
  WeightIndex ourWeight(JsonValue thread, bool isTime) {
    StringRef name = thread["name"].text();
    auto [plain, unit] = name.split(" (");
    if (unit.consume_back(")"))
      return profile_.weight(plain, unit);
    return profile_.weight(name, isTime ? "ns" : name);
  }

  JsonValue file_;
  StringRef name_;
  bool isOurs_;
  /// The interval between samples, in nanoseconds.
  std::optional<uint64_t> interval_;
  ImportedProfile profile_;
  /// By stack of the last tables read, its context in the profile.
  std::vector<NodeIndex> stacks_;
};

class FirefoxProfileFormat : public ProfileFormat {
public:
  bool sniff(ArrayRef<uint8_t> start) const override {
    StringRef text = startOfObject(start).drop_front(1).ltrim(" \t\r\n");
    return text.starts_with("\"meta\"");
  }
  Expected<Profile> read(ArrayRef<uint8_t> bytes, StringRef name) override {
    auto file = JsonDocument::parse(bytes, name);
    if (!file)
      return file.takeError();
    std::optional<int64_t> version = file->root()["meta"]["preprocessedProfileVersion"].integer();
    if (!version)
      return fileError(name, "not a processed profile: meta.preprocessedProfileVersion is missing");
    if (*version > lastKnownVersion)
      addNote(("version " + Twine(*version) + " of processed profiles is newer than " +
               Twine(lastKnownVersion) + ", the last one known")
                  .str());
    return Reader(file->root(), name).read();
  }
};

warpo::Registry<ProfileFormat>::Add<FirefoxProfileFormat>
    registration("firefox", "processed profiles of profiler.firefox.com, samply, wasmtime");

} // namespace
