//===- SpeedscopeProfile.cpp - Reads speedscope's files -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file    := {"$schema", "exporter"?, "shared": {"frames": [frame]}, "profiles": [profile]}
//   frame   := {"name", "file"?, "line"?}
//   profile := {"type": "sampled", "name", "unit", "samples": [[frame's index]], "weights"}
//            | {"type": "evented", "name", "unit", "events": [{"type": "O" | "C", "at", "frame"}]}
//
// Stacks are outermost first. The profiles in our own files are weights, those in others mostly
// threads: these are added up by unit.
//
//===----------------------------------------------------------------------===//

#include "Amount.h"
#include "ImportedProfile.h"
#include "JsonDocument.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Support/Errors.h"
#include <cmath>

using namespace llvm;
using namespace warpo;

namespace {

class Reader {
public:
  Reader(JsonValue file, StringRef name) : file_(file), name_(name) {
    isOurs_ = file_["exporter"].text() == "warpo";
  }

  Expected<Profile> read() {
    readFrames();
    JsonColumn profiles(file_, "profiles");
    for (size_t i = 0; i < profiles.size(); ++i) {
      JsonValue profile = profiles[i];
      StringRef type = profile["type"].text();
      if (type != "sampled" && type != "evented")
        return fail(i, "its type is neither `sampled` nor `evented`");
      StringRef unit = profile["unit"].string().value_or("none");
      scale_ = nanosecondsOf(unit).value_or(1);
      weight_ = weightOf(profile, unit);
      if (Error error = type == "sampled" ? readSamples(profile, i) : readEvents(profile, i))
        return error;
    }
    return profile_.take(name_);
  }

private:
  Error fail(size_t profile, const Twine &message) const {
    return fileError(name_, "profile " + Twine(profile) + ": " + message);
  }

  void readFrames() {
    JsonColumn frames(file_["shared"], "frames");
    for (size_t i = 0; i < frames.size(); ++i) {
      JsonValue frame = frames[i];
      uint32_t line =
          uint32_t(std::clamp<int64_t>(frame["line"].integer().value_or(0), 0, UINT32_MAX));
      StringRef file = frame["file"].text();
      // Without a line, the file is the module.
      functions_.push_back(profile_.function({.name = frame["name"].text(),
                                              .module = line == 0 ? file : "",
                                              .file = line == 0 ? "" : file,
                                              .line = line}));
    }
  }

  WeightIndex weightOf(JsonValue profile, StringRef unit) {
    if (isOurs_) {
      // `fuel (units)`, or a weight with its name as unit.
      StringRef name = profile["name"].text();
      StringRef of = name;
      auto [plain, rest] = name.split(" (");
      if (rest.consume_back(")"))
        name = plain, of = rest;
      return profile_.weight(name, nanosecondsOf(unit) ? "ns" : of);
    }
    if (nanosecondsOf(unit))
      return profile_.weight("time", "ns");
    return unit == "none" ? profile_.weight("samples", "samples") : profile_.weight(unit, unit);
  }

  Error readSamples(JsonValue profile, size_t number) {
    JsonColumn samples(profile, "samples");
    JsonColumn weights(profile, "weights");
    for (size_t i = 0; i < samples.size(); ++i) {
      if (!samples[i].isArray())
        return fail(number, "sample " + Twine(i) + " is not a list of frames");
      NodeIndex node = ContextTree::root;
      JsonColumn stack(samples[i]);
      for (size_t k = 0; k < stack.size() && !profile_.hasFailed(); ++k) {
        std::optional<uint64_t> index = stack.number(k);
        if (!index || *index >= functions_.size())
          return fail(number, "sample " + Twine(i) + " has a frame that is not one of the " +
                                  Twine(functions_.size()) + " frames");
        node = profile_.child(node, functions_[*index]);
      }
      JsonValue given = weights[i];
      std::optional<uint64_t> weight = given ? amountOf(given, scale_) : 1;
      if (!weight)
        return fail(number, "the weight of sample " + Twine(i) + " is not a number from 0 on");
      profile_.add(node, weight_, *weight);
    }
    return Error::success();
  }

  // The time between two events belongs to the innermost open frame.
  Error readEvents(JsonValue profile, size_t number) {
    JsonColumn events(profile, "events");
    std::vector<std::pair<NodeIndex, FunctionIndex>> open{{ContextTree::root, noFunction}};
    double before = 0;
    for (size_t i = 0; i < events.size(); ++i) {
      auto failAt = [&](const Twine &message) {
        return fail(number, "event " + Twine(i) + " " + message);
      };
      JsonValue event = events[i];
      std::optional<int64_t> frame = event["frame"].integer();
      std::optional<double> at = event["at"].number();
      if (!frame || !at || !std::isfinite(*at) || *frame < 0 ||
          uint64_t(*frame) >= functions_.size())
        return failAt("has no time or no frame");
      if (i > 0 && *at < before)
        return failAt("is earlier than the one before");
      if (open.size() > 1)
        profile_.add(open.back().first, weight_, *amountOf(*at - before, scale_));
      before = *at;
      FunctionIndex function = functions_[*frame];
      StringRef type = event["type"].text();
      if (type != "O" && type != "C")
        return failAt("neither opens nor closes a frame");
      if (type == "O") {
        open.push_back({profile_.child(open.back().first, function), function});
        continue;
      }
      if (open.back().second != function)
        return failAt("closes a frame that is not the innermost open one");
      open.pop_back();
    }
    // Frames left open last to the end of the file.
    std::optional<double> end = profile["endValue"].number();
    if (open.size() > 1 && end && std::isfinite(*end) && *end > before)
      profile_.add(open.back().first, weight_, *amountOf(*end - before, scale_));
    return Error::success();
  }

  JsonValue file_;
  StringRef name_;
  bool isOurs_;
  ImportedProfile profile_;
  std::vector<FunctionIndex> functions_;
  /// Weight and scale of the current profile.
  WeightIndex weight_ = 0;
  uint64_t scale_ = 1;
};

class SpeedscopeProfileFormat : public ProfileFormat {
public:
  bool sniff(ArrayRef<uint8_t> start) const override {
    return startOfObject(start).contains("speedscope.app/file-format-schema");
  }
  Expected<Profile> read(ArrayRef<uint8_t> bytes, StringRef name) override {
    auto file = JsonDocument::parse(bytes, name);
    if (!file)
      return file.takeError();
    return Reader(file->root(), name).read();
  }
};

warpo::Registry<ProfileFormat>::Add<SpeedscopeProfileFormat>
    registration("speedscope", "speedscope's own files, sampled and evented");

} // namespace
