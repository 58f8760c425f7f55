//===- CpuProfile.cpp - Reads profiles of V8 ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file := {"nodes": [{"id", "callFrame": {"functionName", "url", "lineNumber"}, "hitCount"?,
//            "children": [id]?}], "startTime", "endTime", "samples": [id]?, "timeDeltas":
//            [microseconds]?}
//
// Written by `node --cpu-prof`, Chrome's DevTools and our own backend. Lines count from 0. A sample
// lasts until the next one; a delta is the time before a sample, and negative if V8 writes samples
// late. `(idle)` is not time of the program and is omitted.
//
//===----------------------------------------------------------------------===//

#include "ImportedProfile.h"
#include "JsonDocument.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include <unordered_map>

using namespace llvm;
using namespace warpo;

static constexpr uint64_t nanosecondsAMicrosecond = 1000;
// Each takes 24 bytes in memory, and at least 8 in the text, except in hostile files.
static constexpr size_t maxSamples = size_t(1) << 25;
static constexpr uint32_t noNode = std::numeric_limits<uint32_t>::max();

namespace {

class Reader {
public:
  Reader(JsonValue file, StringRef name) : file_(file), name_(name) {}

  Expected<Profile> read() {
    if (Error error = readNodes())
      return error;
    if (Error error = placeNodes())
      return error;
    samples_ = profile_.weight("samples", "samples");
    if (Error error = file_["samples"].isArray() ? readSamples() : readHits())
      return error;
    return profile_.take(name_);
  }

  /// Samples in which nothing ran.
  uint64_t idle() const { return idle_; }

private:
  struct Node {
    FunctionIndex function = 0;
    bool isRoot = false;
    bool isIdle = false;
    uint64_t hits = 0;
    uint32_t caller = noNode;
    /// Its context in the profile, once its callers have theirs.
    std::optional<NodeIndex> context = std::nullopt;
  };

  Error failAt(size_t node, const Twine &message) const {
    return fileError(name_, "node " + Twine(node) + " " + message);
  }

  Error readNodes() {
    JsonColumn nodes(file_, "nodes");
    if (!file_["nodes"].isArray())
      return fileError(name_, "no profile of V8: it has no list of nodes");
    for (size_t i = 0; i < nodes.size(); ++i) {
      JsonValue frame = nodes[i]["callFrame"];
      std::optional<int64_t> id = nodes[i]["id"].integer();
      if (!frame.isObject() || !id)
        return failAt(i, "has no id or no callFrame");
      if (!number_.try_emplace(*id, uint32_t(i)).second)
        return failAt(i, "has the id of another one, " + Twine(*id));
      Node &node = nodes_.emplace_back();
      StringRef function = frame["functionName"].text();
      node.isRoot = function == "(root)";
      node.isIdle = function == "(idle)";
      node.hits = uint64_t(std::max<int64_t>(nodes[i]["hitCount"].integer().value_or(0), 0));
      node.function = functionOf(function, frame);
    }
    for (size_t i = 0; i < nodes.size(); ++i) {
      JsonColumn children(nodes[i], "children");
      for (size_t k = 0; k < children.size(); ++k) {
        std::optional<uint32_t> child = find(children[k]);
        if (!child)
          return failAt(i, "has a callee that is not one of the nodes");
        nodes_[*child].caller = uint32_t(i);
      }
    }
    return Error::success();
  }

  // Instead of a file, V8 has a module's URL, and our backend the module's name; neither has a
  // source line.
  FunctionIndex functionOf(StringRef name, JsonValue frame) {
    StringRef url = frame["url"].text();
    int64_t line = frame["lineNumber"].integer().value_or(-1);
    bool isModule = line < 0 || url.starts_with("wasm://");
    return profile_.function(
        {.name = name.empty() ? "(anonymous)" : name,
         .module = isModule ? url : "",
         .file = isModule ? "" : url,
         .line = isModule ? 0 : uint32_t(std::min<int64_t>(line, UINT32_MAX - 1) + 1)});
  }

  std::optional<uint32_t> find(JsonValue id) const {
    std::optional<int64_t> value = id.integer();
    auto known = value ? number_.find(*value) : number_.end();
    return known == number_.end() ? std::nullopt : std::optional(known->second);
  }

  // Callers may follow their callees.
  Error placeNodes() {
    std::vector<uint32_t> path;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      path.clear();
      for (uint32_t at = i; at != noNode && !nodes_[at].context; at = nodes_[at].caller) {
        path.push_back(at);
        if (path.size() > nodes_.size())
          return failAt(i, "calls itself by way of its callees");
      }
      for (uint32_t at : reverse(path)) {
        Node &node = nodes_[at];
        NodeIndex caller =
            node.caller == noNode ? NodeIndex(ContextTree::root) : *nodes_[node.caller].context;
        node.context = node.isRoot || node.isIdle ? caller : profile_.child(caller, node.function);
      }
    }
    return Error::success();
  }

  Error readSamples() {
    JsonColumn ids(file_, "samples");
    JsonColumn deltas(file_, "timeDeltas");
    struct Sample {
      int64_t time;
      size_t number;
      uint32_t node;

      bool operator<(const Sample &other) const {
        return std::tie(time, number) < std::tie(other.time, other.number);
      }
    };
    if (ids.size() > maxSamples)
      return fileError(name_, "it has more than " + Twine(maxSamples) + " samples");
    std::vector<Sample> samples;
    samples.reserve(ids.size());
    int64_t time = 0;
    for (size_t i = 0; i < ids.size(); ++i) {
      std::optional<uint32_t> node = find(ids[i]);
      if (!node)
        return fileError(name_, "sample " + Twine(i) + " is not one of the nodes");
      if (JsonValue delta = deltas[i]) {
        std::optional<double> number = delta.number();
        if (!number || std::abs(*number) > 0x1p52 || AddOverflow(time, int64_t(*number), time))
          return fileError(name_,
                           "the delta of sample " + Twine(i) + " is not a number of microseconds");
      }
      samples.push_back({time, i, *node});
    }
    llvm::sort(samples);
    std::optional<int64_t> end = file_["endTime"].integer();
    std::optional<int64_t> start = file_["startTime"].integer();
    int64_t last = 0;
    if (!samples.empty()) {
      last = samples.back().time;
      if (start && end && !SubOverflow(*end, *start, last))
        last = std::max(last, samples.back().time);
    }
    std::optional<WeightIndex> weight;
    if (deltas.size() > 0)
      weight = profile_.weight("time", "ns");
    for (size_t i = 0; i < samples.size(); ++i) {
      int64_t next = i + 1 < samples.size() ? samples[i + 1].time : last;
      add(nodes_[samples[i].node], 1, weight, uint64_t(next) - uint64_t(samples[i].time));
    }
    return Error::success();
  }

  // For old releases, which store the number of samples of each node.
  Error readHits() {
    for (const Node &node : nodes_)
      add(node, node.hits, std::nullopt, 0);
    return Error::success();
  }

  void add(const Node &node, uint64_t count, std::optional<WeightIndex> weight, uint64_t time) {
    if (node.isIdle) {
      idle_ += count;
      return;
    }
    // Our backend ends the last sample with one of the root, which has no duration.
    if (node.isRoot && time == 0)
      return;
    profile_.add(*node.context, samples_, count);
    if (weight)
      profile_.add(*node.context, *weight, SaturatingMultiply(time, nanosecondsAMicrosecond));
  }

  JsonValue file_;
  StringRef name_;
  ImportedProfile profile_;
  std::vector<Node> nodes_;
  /// By id, which may be any number: DenseMap reserves two.
  std::unordered_map<int64_t, uint32_t> number_;
  WeightIndex samples_ = 0;
  uint64_t idle_ = 0;
};

class CpuProfileFormat : public ProfileFormat {
public:
  bool sniff(ArrayRef<uint8_t> start) const override {
    StringRef text = startOfObject(start);
    // DevTools traces have such profiles in their events.
    return text.contains("\"nodes\"") && text.contains("\"callFrame\"") &&
           !text.contains("\"traceEvents\"");
  }
  Expected<Profile> read(ArrayRef<uint8_t> bytes, StringRef name) override {
    auto file = JsonDocument::parse(bytes, name);
    if (!file)
      return file.takeError();
    Reader reader(file->root(), name);
    auto profile = reader.read();
    if (reader.idle() > 0)
      addNote(countOf(reader.idle(), "sample") + " of an idle thread left out");
    return profile;
  }
};

warpo::Registry<ProfileFormat>::Add<CpuProfileFormat>
    registration("cpuprofile", "V8's profiles: node --cpu-prof, Chrome's DevTools");

} // namespace
