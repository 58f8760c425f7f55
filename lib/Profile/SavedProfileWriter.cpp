//===- SavedProfileWriter.cpp - Writes docs/profile-format.md -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SavedProfileBytes.h"
#include "warpo/Profile/ProfileMerger.h"
#include "warpo/Profile/SavedProfile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace warpo;

namespace {

class Writer {
public:
  explicit Writer(const Profile &profile) : profile_(profile) {
    hasInlined_ = any_of(profile.functions,
                         [](const ProfileFunction &function) { return !function.inlined.empty(); });
  }

  std::string write() {
    os_ << savedProfileMagic
        << char(firstSavedProfileVersion + (profile_.samplePeriod ? savedPeriod : 0) +
                (hasInlined_ ? savedInlined : 0));
    writeStrings();
    writeModules();
    writeFunctions();
    writeWeights();
    writePeriod();
    writeContexts();
    support::endian::write(os_, xxh3_64bits(StringRef(bytes_)), endianness::little);
    return std::move(bytes_);
  }

private:
  void number(uint64_t value) { encodeULEB128(value, os_); }
  void fixed(uint64_t value) { support::endian::write(os_, value, endianness::little); }

  template <typename Items, typename Write> void column(const Items &items, Write write) {
    for (const auto &item : items)
      write(item);
  }

  void writeStrings() {
    std::vector<StringRef> sorted;
    auto add = [&](StringRef text) {
      if (strings_.try_emplace(text, 0).second)
        sorted.push_back(text);
    };
    for (const ProfileModule &module : profile_.modules)
      add(module.name);
    for (const ProfileFunction &function : profile_.functions) {
      add(function.name);
      add(function.file);
      for (const SharedText &name : function.inlined)
        add(name);
    }
    for (const ProfileWeight &weight : profile_.weights) {
      add(weight.name);
      add(weight.unit);
    }
    if (const auto &period = profile_.samplePeriod) {
      add(period->name);
      add(period->unit);
    }
    llvm::sort(sorted);
    number(sorted.size());
    for (size_t i = 0; i < sorted.size(); ++i) {
      strings_[sorted[i]] = i;
      number(sorted[i].size());
    }
    for (StringRef text : sorted)
      os_ << text;
  }

  void string(StringRef text) { number(strings_.at(text)); }

  void writeModules() {
    const auto &modules = profile_.modules;
    number(modules.size());
    column(modules, [&](const ProfileModule &module) { string(module.name); });
    column(modules, [&](const ProfileModule &module) { fixed(module.id); });
  }

  void writeFunctions() {
    const auto &functions = profile_.functions;
    number(functions.size());
    column(functions, [&](const ProfileFunction &function) { string(function.name); });
    column(functions, [&](const ProfileFunction &function) { number(function.module); });
    column(functions, [&](const ProfileFunction &function) { number(uint64_t(function.kind)); });
    column(functions, [&](const ProfileFunction &function) { number(uint32_t(function.id)); });
    column(functions, [&](const ProfileFunction &function) { string(function.file); });
    column(functions, [&](const ProfileFunction &function) { number(function.line); });
    column(functions, [&](const ProfileFunction &function) { fixed(function.bodyHash); });
    if (!hasInlined_)
      return;
    column(functions, [&](const ProfileFunction &function) {
      number(function.inlined.size());
      column(function.inlined, [&](const SharedText &name) { string(name); });
    });
  }

  void writeWeights() {
    number(profile_.weights.size());
    column(profile_.weights, [&](const ProfileWeight &weight) { string(weight.name); });
    column(profile_.weights, [&](const ProfileWeight &weight) { string(weight.unit); });
  }

  void writePeriod() {
    const auto &period = profile_.samplePeriod;
    if (!period)
      return;
    string(period->name);
    string(period->unit);
    number(period->amount);
  }

  // In canonical order a context stands behind its caller's other callees and all below them: its
  // caller is one of the stack of the context before it.
  void writeContexts() {
    ArrayRef<ContextTree::Context> contexts = profile_.tree.nodes().drop_front();
    number(contexts.size());
    std::vector<uint32_t> depths{0};
    for (const ContextTree::Context &context : contexts) {
      uint32_t depth = depths[context.parent] + 1;
      number(depths.back() + 1 - depth);
      depths.push_back(depth);
    }
    column(contexts, [&](const ContextTree::Context &context) { number(context.function); });
    for (const ProfileWeight &weight : profile_.weights)
      column(ArrayRef(weight.self).drop_front(), [&](uint64_t self) { number(self); });
  }

  const Profile &profile_;
  bool hasInlined_;
  std::string bytes_;
  raw_string_ostream os_{bytes_};
  StringMap<uint64_t> strings_;
};

} // namespace

// Functions that differ only in what the format does not store are merged, as readers would do.
static Profile withoutUnsaved(Profile profile) {
  for (ProfileFunction &function : profile.functions) {
    function.executedFile = {};
    function.executedLine = 0;
    function.attribute = {};
  }
  return profile;
}

void warpo::writeSavedProfile(const Profile &profile, raw_ostream &os) {
  os << Writer(canonical(withoutUnsaved(profile))).write();
}
