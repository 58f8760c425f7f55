//===- CallCounts.cpp - An instrumentation with data, and what reads it ---===//
// SPDX-License-Identifier: Apache-2.0
//
// Counts the calls of each function in a global of the module, without asking the host. When the
// program has ended, any host fetches the counts, and writes them to a file with the extension
// .calls, which is a profile for all tools that this plugin is loaded into:
//
//   file  := part+                              one for each instance
//   part  := "CALLCNT\n" moduleId:u64 functions:u32 (size:u32 name)* count:u64*
//
//===----------------------------------------------------------------------===//

#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Support/ByteCursor.h"
#include "warpo/Support/PluginApi.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

constexpr StringLiteral magic = "CALLCNT\n";
constexpr StringLiteral exportName = "__call_counts";

template <typename T> void appendNumber(SmallVectorImpl<uint8_t> &out, T number) {
  for (unsigned shift = 0; shift != 8 * sizeof(T); shift += 8)
    out.push_back(uint8_t(number >> shift));
}

class CallCounts : public Instrumentation {
  static constexpr InstrumentationOption::Value places[] = {{"entry", "all calls (the default)"},
                                                            {"exit", "those that have ended"}};
  static constexpr InstrumentationOption placeOption[] = {
      {"count-at", "Which calls are counted", places}};

public:
  ArrayRef<InstrumentationOption> options() const override { return placeOption; }
  Error setOption(StringRef, StringRef value) override {
    atExit_ = value == "exit";
    return Error::success();
  }

  // Exceptions end calls too.
  InstrumentationNeeds needs() const override { return {.functions = true, .exits = atExit_}; }

  Error declare(ModuleDeclarations &declarations) override {
    const ModuleFacts &module = declarations.module();
    first_ = declarations.addGlobals(module.functions, wasm::ValueType::i64, true, 0);

    wasm::Artifact artifact;
    artifact.format = "call-counts";
    artifact.extension = ".calls";
    artifact.description = "how often functions were called";
    artifact.head.append(magic.begin(), magic.end());
    appendNumber(artifact.head, module.moduleId);
    appendNumber(artifact.head, module.functions);
    module.forEachName([&](StringRef name) {
      appendNumber(artifact.head, uint32_t(name.size()));
      artifact.head.append(name.begin(), name.end());
    });
    artifact.access = wasm::Artifact::Access::function;
    artifact.exports = {exportName.str()};
    artifact.type = wasm::ValueType::i64;
    artifact.count = module.functions;
    declarations.addArtifact(std::move(artifact));
    return declarations.addExportedNumbers(exportName, wasm::ValueType::i64, first_,
                                           module.functions);
  }

  void instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const override {
    wasm::GlobalRef count{first_.origin, first_.index + uint32_t(site.number)};
    wasm::CodeSequence &code = atExit_ ? edit.exit : edit.entry;
    code.globalGet(count).i64Const(1).raw("i64.add"_op).globalSet(count);
  }

private:
  bool atExit_ = false;
  /// Of the counters, one for each function.
  wasm::GlobalRef first_;
};

class CallCountsFile : public ProfileFormat {
  bool sniff(ArrayRef<uint8_t> start) const override {
    return toStringRef(start).starts_with(magic);
  }

  Expected<Profile> read(ArrayRef<uint8_t> bytes, StringRef name) override {
    Profile profile;
    profile.weights = {{"calls", "calls", {0}}};
    ByteCursor cursor(bytes);
    while (cursor.ok() && !cursor.atEnd())
      readPart(cursor, profile);
    if (Error error = cursor.takeError(name))
      return error;
    return profile;
  }

  /// Each function stands below the host alone: nothing is known of its callers.
  static void readPart(ByteCursor &cursor, Profile &profile) {
    if (toStringRef(cursor.bytes(magic.size())) != magic)
      cursor.fail("no counts of calls begin here");
    auto module = uint32_t(profile.modules.size());
    profile.modules.push_back({cursor.u64(), ""});
    std::vector<NodeIndex> nodes;
    for (uint32_t functions = cursor.u32(); nodes.size() < functions && cursor.ok();) {
      StringRef name = toStringRef(cursor.bytes(cursor.u32()));
      auto function = FunctionIndex(profile.functions.size());
      profile.functions.push_back({name.str(), module});
      nodes.push_back(profile.tree.append(ContextTree::root, function));
    }
    for (size_t i = 0; i != nodes.size(); ++i)
      profile.weights[0].self.push_back(cursor.u64());
  }
};

warpo::Registry<Instrumentation>::Add<CallCounts>
    instrumentation("call-counts", "how often each function is called (count-at=entry|exit)");
warpo::Registry<ProfileFormat>::Add<CallCountsFile> format("call-counts",
                                                           "how often functions were called");

} // namespace

WARPO_PLUGIN("call-counts", "1.0")
