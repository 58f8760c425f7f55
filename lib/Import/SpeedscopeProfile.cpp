//===- SpeedscopeProfile.cpp - Reads speedscope's files -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file    := {"$schema", "exporter"?, "shared": {"frames": [frame]}, "profiles": [profile]}
//   frame   := {"name", "file"?, "line"?}
//   profile := {"type": "sampled", "name", "unit", "samples": [[frame's index]], "weights"}
//            | {"type": "evented", "name", "unit", "events": [{"type": "O" | "C", "at", "frame"}]}
//
// Stacks are outermost first. The profiles of our own files are its weights, those of others
// mostly threads: these are added up, for each unit.
//
//===----------------------------------------------------------------------===//

#include "Amount.h"
#include "ImportedProfile.h"
#include "JsonProfile.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Support/Errors.h"
#include <cmath>

using namespace llvm;
using namespace warpo;

namespace {

class Reader {
public:
  Reader(const json::Object &file, StringRef name) : file_(file), name_(name) {
    isOurs_ = file.getString("exporter").value_or("") == "warpo";
  }

  Expected<Profile> read() {
    readFrames();
    JsonColumn profiles(file_, "profiles");
    for (size_t i = 0; i < profiles.size(); ++i) {
      const json::Object *profile = profiles[i]->getAsObject();
      if (!profile)
        return fail(i, "no object");
      StringRef type = profile->getString("type").value_or("");
      if (type != "sampled" && type != "evented")
        return fail(i, "its type is neither `sampled` nor `evented`");
      StringRef unit = profile->getString("unit").value_or("none");
      scale_ = nanosecondsOf(unit).value_or(1);
      weight_ = weightOf(*profile, unit);
      if (Error error = type == "sampled" ? readSamples(*profile, i) : readEvents(*profile, i))
        return error;
    }
    return profile_.take(name_);
  }

private:
  Error fail(size_t profile, const Twine &message) const {
    return fileError(name_, "profile " + Twine(profile) + ": " + message);
  }

  void readFrames() {
    const json::Object *shared = file_.getObject("shared");
    JsonColumn frames = shared ? JsonColumn(*shared, "frames") : JsonColumn();
    for (size_t i = 0; i < frames.size(); ++i) {
      static const json::Object none;
      const json::Object *object = frames[i]->getAsObject();
      const json::Object &frame = object ? *object : none;
      uint32_t line =
          uint32_t(std::clamp<int64_t>(frame.getInteger("line").value_or(0), 0, UINT32_MAX));
      StringRef file = frame.getString("file").value_or("");
      // A module stands at the file's place where no line is known.
      functions_.push_back(profile_.function({.name = frame.getString("name").value_or(""),
                                              .module = line == 0 ? file : "",
                                              .file = line == 0 ? "" : file,
                                              .line = line}));
    }
  }

  WeightIndex weightOf(const json::Object &profile, StringRef unit) {
    if (isOurs_) {
      // `fuel (units)`, or a weight that is its own unit.
      StringRef name = profile.getString("name").value_or("");
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

  Error readSamples(const json::Object &profile, size_t number) {
    JsonColumn samples(profile, "samples");
    JsonColumn weights(profile, "weights");
    for (size_t i = 0; i < samples.size(); ++i) {
      const json::Array *stack = samples[i]->getAsArray();
      if (!stack)
        return fail(number, "sample " + Twine(i) + " is no list of frames");
      NodeIndex node = ContextTree::root;
      for (const json::Value &frame : *stack) {
        std::optional<uint64_t> index = frame.getAsUINT64();
        if (!index || *index >= functions_.size())
          return fail(number, "sample " + Twine(i) + " has a frame that is none of the " +
                                  Twine(functions_.size()) + " frames");
        node = profile_.child(node, functions_[*index]);
      }
      const json::Value *given = weights[i];
      std::optional<uint64_t> weight = given ? amountOf(*given, scale_) : 1;
      if (!weight)
        return fail(number, "the weight of sample " + Twine(i) + " is no number from 0 on");
      profile_.add(node, weight_, *weight);
    }
    return Error::success();
  }

  // The time between two events belongs to the innermost open frame.
  Error readEvents(const json::Object &profile, size_t number) {
    JsonColumn events(profile, "events");
    std::vector<std::pair<NodeIndex, FunctionIndex>> open{{ContextTree::root, noFunction}};
    double before = 0;
    for (size_t i = 0; i < events.size(); ++i) {
      auto failAt = [&](const Twine &message) {
        return fail(number, "event " + Twine(i) + " " + message);
      };
      const json::Object *event = events[i]->getAsObject();
      std::optional<int64_t> frame = event ? event->getInteger("frame") : std::nullopt;
      std::optional<double> at = event ? event->getNumber("at") : std::nullopt;
      if (!frame || !at || !std::isfinite(*at) || *frame < 0 ||
          uint64_t(*frame) >= functions_.size())
        return failAt("has no time or no frame");
      if (i > 0 && *at < before)
        return failAt("is earlier than the one before");
      if (open.size() > 1)
        profile_.add(open.back().first, weight_, *amountOf(*at - before, scale_));
      before = *at;
      FunctionIndex function = functions_[*frame];
      StringRef type = event->getString("type").value_or("");
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
    std::optional<double> end = profile.getNumber("endValue");
    if (open.size() > 1 && end && std::isfinite(*end) && *end > before)
      profile_.add(open.back().first, weight_, *amountOf(*end - before, scale_));
    return Error::success();
  }

  const json::Object &file_;
  StringRef name_;
  bool isOurs_;
  ImportedProfile profile_;
  std::vector<FunctionIndex> functions_;
  /// Of the profile that is being read.
  WeightIndex weight_ = 0;
  uint64_t scale_ = 1;
};

class SpeedscopeProfileFormat : public ProfileFormat {
public:
  bool sniff(ArrayRef<uint8_t> start) const override {
    return startOfObject(start).contains("speedscope.app/file-format-schema");
  }
  Expected<Profile> read(ArrayRef<uint8_t> bytes, StringRef name) override {
    auto file = parseJsonProfile(bytes, name);
    if (!file)
      return file.takeError();
    return Reader(*file, name).read();
  }
};

warpo::Registry<ProfileFormat>::Add<SpeedscopeProfileFormat>
    registration("speedscope", "speedscope's own files, sampled and evented");

} // namespace
