//===- FirefoxBackend.cpp - Profiles for the Firefox Profiler -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A thread for each weight. A context's self weight is one sample, and samples follow each other
// without gaps, the heaviest calls first: the profiler's stack chart then looks like a flame graph.
//
// The first thread of a heap profile also has a table of allocations, from which the profiler shows
// memory as retained, allocated and freed. Each context allocates at most two blocks: its memory in
// use, and what was freed again.
//
//===----------------------------------------------------------------------===//

#include "firefox/ProcessedProfile.h"
#include "profile/ContextList.h"
#include "profile/ReaderLimits.h"
#include "text/JsonText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::firefox;

namespace {

class FirefoxWriter {
public:
  FirefoxWriter(const ContextList &list, raw_ostream &os) : list_(list), out_(os) {
    std::vector<uint32_t> functions = list.functions();
    for (const auto &[index, frame] : enumerate(list.frames())) {
      if (functions[index] != index)
        tables_.addFrameLike(functions[index]);
      else
        tables_.addFrame(frame.name,
                         frame.name == "[lost]" && frame.isPseudo ? Category::lost
                         : frame.isPseudo                         ? Category::other
                                                                  : Category::wasm,
                         frame.file, frame.line);
      // Lines must be in the function's file.
      if (frame.executedFile == frame.file)
        tables_.setExecutedLine(uint32_t(index), frame.executedLine);
    }
    stacks_.reserve(list.contexts().size());
    for (const ListedContext &context : list.contexts())
      stacks_.push_back(tree_.child(context.caller == ListedContext::noCaller
                                        ? NodeIndex(CallTree::root)
                                        : stacks_[context.caller],
                                    context.frame));
  }

  void write() {
    out_.append("{");
    writeMeta(list_.title(), "[]", out_);
    out_.append(",\n\"libs\":[],\"pages\":[],\"counters\":[],\n");
    tables_.write(tree_, {}, out_);
    out_.append(",\n\"threads\":[");
    for (const WeightColumn &weight : list_.weights()) {
      out_.append(&weight == &list_.shown() ? "\n" : ",\n");
      writeThread(weight);
    }
    out_.append("\n]}\n");
    out_.flush();
  }

private:
  // The profiler's axis has only times, so each count is shown as a millisecond.
  static std::string milliseconds(const WeightColumn &weight, uint64_t amount) {
    if (!weight.isNanoseconds())
      return std::to_string(amount);
    char text[maxMilliseconds];
    return std::string(text, writeMilliseconds(text, amount));
  }

  void writeThread(const WeightColumn &weight) {
    std::string name = weight.name;
    if (!weight.isNanoseconds() && weight.unit != weight.name)
      name += " (" + weight.unit + ")";
    auto number = std::to_string(&weight - list_.weights().data() + 1);
    std::string isFirst = &weight == &list_.shown() ? "true" : "false";
    out_.append(
        "{\"name\":" + jsonString(displayName(name)) + ",\"processName\":" +
        jsonString(list_.title()) + ",\"processType\":\"default\",\"isMainThread\":" + isFirst +
        ",\"pid\":\"1\",\"tid\":" + number +
        ",\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0" +
        ",\"unregisterTime\":" + milliseconds(weight, weight.total) +
        ",\"pausedRanges\":[],\n\"samples\":{\"weightType\":\"" +
        (weight.isNanoseconds() ? "tracing-ms" : "samples") + "\",\"length\":" +
        std::to_string(llvm::count_if(weight.self, [](uint64_t self) { return self > 0; })));
    uint64_t start = 0;
    writeColumn("stack", weight, [&](size_t i) { return std::to_string(stacks_[i] - 1); });
    writeColumn("time", weight, [&](size_t i) {
      return milliseconds(weight, std::exchange(start, start + weight.self[i]));
    });
    writeColumn("weight", weight, [&](size_t i) { return milliseconds(weight, weight.self[i]); });
    out_.append("},\n\"markers\":{\"length\":0,\"name\":[],\"startTime\":[],\"endTime\":[],"
                "\"phase\":[],\"category\":[],\"data\":[]}");
    if (&weight == &list_.shown())
      writeAllocations();
    out_.append("}");
  }

  /// A block allocated by a context, or its free.
  struct Allocation {
    size_t context;
    uint64_t bytes;
    bool isFree;
    uint64_t address;
  };

  const WeightColumn *weightCalled(StringRef name) const {
    const auto *found =
        llvm::find_if(list_.weights(), [&](auto &weight) { return weight.name == name; });
    return found == list_.weights().end() ? nullptr : found;
  }

  static std::vector<Allocation> allocationsOf(const WeightColumn &allocated,
                                               const WeightColumn *inUse) {
    std::vector<Allocation> all;
    for (const auto &[context, bytes] : enumerate(allocated.self)) {
      uint64_t kept = inUse ? std::min(inUse->self[context], bytes) : bytes;
      uint64_t address = 16 * (all.size() + 1);
      if (kept > 0)
        all.push_back({context, kept, false, address});
      if (kept == bytes)
        continue;
      for (bool isFree : {false, true})
        all.push_back({context, bytes - kept, isFree, address + 1});
    }
    return all;
  }

  void writeAllocations() {
    const WeightColumn *allocated = weightCalled("alloc_space");
    if (!allocated)
      return;
    const WeightColumn *inUse = weightCalled("inuse_space");
    std::vector<Allocation> all = allocationsOf(*allocated, inUse);
    std::vector<uint64_t> starts(1);
    for (uint64_t self : list_.shown().self)
      starts.push_back(starts.back() + self);
    out_.append(",\n\"nativeAllocations\":{\"weightType\":\"bytes\",\"length\":" +
                std::to_string(all.size()));
    auto writeColumn = [&](StringRef name, auto valueOf) {
      out_.append(",\n");
      ColumnWriter column(name, out_);
      for (const Allocation &one : all)
        column.add(valueOf(one));
    };
    writeColumn("time", [&](const Allocation &one) {
      return milliseconds(list_.shown(), starts[one.context]);
    });
    writeColumn("stack",
                [&](const Allocation &one) { return std::to_string(stacks_[one.context] - 1); });
    writeColumn("weight", [](const Allocation &one) {
      return (one.isFree ? "-" : "") + std::to_string(one.bytes);
    });
    // With addresses, blocks that were not freed count as retained.
    if (inUse) {
      writeColumn("memoryAddress", [](const Allocation &one) { return one.address; });
      writeColumn("threadId", [](const Allocation &) { return uint64_t(1); });
    }
    out_.append("}");
  }

  template <typename F> void writeColumn(StringRef name, const WeightColumn &weight, F valueOf) {
    out_.append(",\n");
    ColumnWriter column(name, out_);
    for (size_t i = 0; i < weight.self.size(); ++i)
      if (weight.self[i] > 0)
        column.add(valueOf(i));
  }

  const ContextList &list_;
  TextBuffer out_;
  SharedTables tables_;
  /// Its functions are frames.
  CallTree tree_;
  /// By context: its node in the tree.
  std::vector<NodeIndex> stacks_;
};

class FirefoxBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".json"; }
  bool isBinary() const override { return false; }
  bool showsLines() const override { return true; }
  StringRef timeOrdered() const override { return "firefox-timeline"; }

  Error write(const Profile &profile, raw_ostream &os) override {
    ContextList list(profile);
    FirefoxWriter(list, os).write();
    addNotes(notesOfLargeTotals(list, maxExactDouble,
                                "more than the Firefox Profiler shows without rounding"));
    return Error::success();
  }
};

warpo::Registry<ProfileBackend>::Add<FirefoxBackend>
    registration("firefox", "for profiler.firefox.com, all weights in one file");

} // namespace
