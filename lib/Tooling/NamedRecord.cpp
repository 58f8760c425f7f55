//===- NamedRecord.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NamedRecord.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

namespace {

/// Which function of its module each id is. Instrumenting gives ids in the order of functions, to
/// those that it takes; a function without a name is called `func[<index>]`.
class FunctionIndices {
public:
  FunctionIndices(const RecordedModule &module, ArrayRef<RecordedModule::Function> functions) {
    for (const RecordedModule::Function &function : functions)
      if (std::optional<uint32_t> index = indexIn(module.nameOf(function));
          index && function.id >= firstFunctionId && *index >= idOffset(function.id))
        known_.push_back({idOffset(function.id), *index});
    llvm::sort(known_);
  }

  /// Nothing where functions in front of it may have been left out.
  std::optional<uint32_t> of(int32_t id) const {
    uint32_t offset = idOffset(id);
    auto next = upper_bound(known_, std::pair(offset, UINT32_MAX));
    uint32_t leftOut = 0;
    if (next != known_.begin()) {
      auto [before, index] = *std::prev(next);
      leftOut = index - before;
      if (before == offset)
        return index;
    }
    bool isCertain = next == known_.end() ? leftOut == 0 : next->second - next->first == leftOut;
    return isCertain ? std::optional(offset + leftOut) : std::nullopt;
  }

private:
  static std::optional<uint32_t> indexIn(StringRef name) {
    uint32_t index;
    if (!(name.consume_front("func[") || name.consume_front("wasm-function[")) ||
        !name.consume_back("]") || name.getAsInteger(10, index))
      return std::nullopt;
    return index;
  }

  /// Offsets of ids, and indices.
  std::vector<std::pair<uint32_t, uint32_t>> known_;
};

} // namespace

/// Hands on declarations to an observer.
class NamedRecord::Renamer : public DeclarationObserver {
public:
  Renamer(DeclarationObserver &observer, const NamedRecord &record)
      : observer_(observer), record_(record) {}

  const DeclarationObserver &observer() const { return observer_; }

  void declareModule(size_t index, const RecordedModule &module,
                     ArrayRef<RecordedModule::Function> added) override {
    const wasm::SymbolFile *symbols = record_.symbols_.of(module);
    if (!symbols)
      return observer_.declareModule(index, module, added);
    modules_ = std::max(modules_, index + 1);
    bool isNew = named_.size() <= index || !named_[index];
    if (named_.size() <= index)
      named_.resize(index + 1);
    if (isNew) {
      named_[index] = std::make_unique<Module>();
      RecordedModule &ours = named_[index]->module;
      ours.id = module.id;
      ours.name = module.name.empty() ? symbols->moduleName : module.name;
      ours.hash = module.hash;
      ours.buildId = module.buildId;
      ours.places = module.places;
    }
    Module &named = *named_[index];
    size_t known = named.module.functions.size();
    if (isNew && added.empty())
      addAll(*symbols, named);
    else
      addNamed(module, added, *symbols, named);
    observer_.declareModule(index, named.module,
                            ArrayRef(named.module.functions).drop_front(known));
  }
  void declarePlaces(size_t index, const RecordedModule &module) override {
    observer_.declarePlaces(index, module);
  }
  void declareStream(StreamIndex index, const StreamInfo &stream) override {
    // Records of WARP do not say which module they are of.
    if (record_.header().modules.empty() && !is_contained(undeclared_, stream.moduleId)) {
      undeclared_.push_back(stream.moduleId);
      RecordedModule module;
      module.id = stream.moduleId;
      declareModule(modules_, module, {});
    }
    observer_.declareStream(index, stream);
  }
  void declareStack(uint32_t index, const RecordedStack &stack) override {
    observer_.declareStack(index, stack);
  }
  void declarePhase(const RecordedPhase &phase) override { observer_.declarePhase(phase); }

private:
  struct Module {
    RecordedModule module;
    /// The record named none, and so all functions that the file knows have been declared.
    bool hasAll = false;
  };

  /// Where the record has no names, an id is that of a module of which all functions are
  /// instrumented.
  static void addAll(const wasm::SymbolFile &symbols, Module &named) {
    named.hasAll = true;
    for (auto [index, name] : enumerate(symbols.functions))
      if (!name.empty())
        named.module.addFunction(int32_t(uint32_t(firstFunctionId) + uint32_t(index)), name);
  }

  void addNamed(const RecordedModule &module, ArrayRef<RecordedModule::Function> added,
                const wasm::SymbolFile &symbols, Module &named) {
    auto isIndexed = [](const RecordedModule::Function &function) {
      return function.id >= firstFunctionId && !isSection(function.id) && marksOf(function.id) == 0;
    };
    // Sections come one by one.
    FunctionIndices indices(module, any_of(added, isIndexed) ? ArrayRef(module.functions) : added);
    size_t unknown = 0;
    for (const RecordedModule::Function &function : added) {
      StringRef name = module.nameOf(function);
      if (isIndexed(function)) {
        std::optional<uint32_t> index = indices.of(function.id);
        unknown += !index;
        StringRef given = index ? symbols.function(*index) : StringRef();
        if (!given.empty() && named.hasAll)
          continue;
        if (!given.empty())
          name = given;
      }
      named.module.addFunction(function.id, name);
    }
    if (unknown > 0)
      note(countOf(unknown, "function keeps its name", "functions keep their names") +
           ", and none of " + symbols.path +
           ": the module was instrumented without some functions, so that which they are is "
           "unknown; warpo-instrument takes --symbols too");
  }

  DeclarationObserver &observer_;
  const NamedRecord &record_;
  std::vector<std::unique_ptr<Module>> named_;
  size_t modules_ = 0;
  std::vector<uint64_t> undeclared_;
};

NamedRecord::NamedRecord(std::unique_ptr<RecordReader> reader, SymbolSet symbols)
    : reader_(std::move(reader)), symbols_(std::move(symbols)) {}

NamedRecord::~NamedRecord() = default;

void NamedRecord::observe(DeclarationObserver &observer) {
  if (any_of(renamers_, [&](const auto &known) { return &known->observer() == &observer; }))
    return;
  renamers_.push_back(std::make_unique<Renamer>(observer, *this));
  reader_->observe(*renamers_.back());
}
