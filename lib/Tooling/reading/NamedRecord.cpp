//===- NamedRecord.cpp - A record with the names of other files -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "DeclarationFilter.h"
#include "FunctionIndices.h"
#include "SymbolSet.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

namespace {

class Renamer : public ForwardingObserver {
public:
  Renamer(DeclarationObserver &observer, const RecordHeader &header, const SymbolSet &symbols)
      : ForwardingObserver(observer), header_(header), symbols_(symbols) {}

  void declareModule(size_t index, const RecordedModule &module,
                     ArrayRef<RecordedModule::Function> added) override {
    const wasm::SymbolFile *symbols = symbols_.of(module);
    if (!symbols)
      return observer().declareModule(index, module, added);
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
    observer().declareModule(index, named.module,
                             ArrayRef(named.module.functions).drop_front(known));
  }
  void declareStream(StreamIndex index, const StreamInfo &stream) override {
    // WARP's records do not declare their modules.
    if (header_.modules.empty() && !is_contained(undeclared_, stream.moduleId)) {
      undeclared_.push_back(stream.moduleId);
      RecordedModule module;
      module.id = stream.moduleId;
      declareModule(modules_, module, {});
    }
    observer().declareStream(index, stream);
  }

private:
  struct Module {
    RecordedModule module;
    /// The record had no names, so all functions in the file have been declared.
    bool hasAll = false;
  };

  /// If the record has no names, all functions of the module are assumed to be instrumented.
  static void addAll(const wasm::SymbolFile &symbols, Module &named) {
    named.hasAll = true;
    for (auto [index, name] : enumerate(symbols.functions))
      if (!name.empty())
        named.module.addFunction(int32_t(uint32_t(firstFunctionId) + uint32_t(index)), name);
  }

  void addNamed(const RecordedModule &module, ArrayRef<RecordedModule::Function> added,
                const wasm::SymbolFile &symbols, Module &named) {
    // Sections are added one by one.
    auto indices = FunctionIndices::byNumber(
        module, any_of(added, isIndexed) ? ArrayRef(module.functions) : added);
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
           ": the module was instrumented without some functions, so their indices are unknown; "
           "warpo-instrument takes --symbols too");
  }

  const RecordHeader &header_;
  const SymbolSet &symbols_;
  std::vector<std::unique_ptr<Module>> named_;
  size_t modules_ = 0;
  std::vector<uint64_t> undeclared_;
};

} // namespace

std::unique_ptr<RecordReader> warpo::withNames(std::unique_ptr<RecordReader> record,
                                               SymbolSet symbols) {
  const RecordHeader &header = record->header();
  auto shared = std::make_shared<const SymbolSet>(std::move(symbols));
  return std::make_unique<DeclarationFilter>(
      std::move(record), [&header, shared](DeclarationObserver &observer) {
        return std::make_unique<Renamer>(observer, header, *shared);
      });
}
