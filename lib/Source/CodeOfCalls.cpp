//===- CodeOfCalls.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Source/CodeOfCalls.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/FuelCosts.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/ReferencedFunctions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

class CallFinder {
public:
  CallFinder(const wasm::Module &module, ArrayRef<int32_t> ids) : module_(module), ids_(ids) {
    auto open = wasm::referencedFunctions(module);
    // Code that cannot be read might name any function.
    if (open)
      isOpen_ = std::move(*open);
    else
      consumeError(open.takeError()), isOpen_.resize(module.functionCount(), true);
  }

  void add(FunctionPlaces &function) {
    if (!hasBody(function.index))
      return;
    const wasm::ByteRange &body = bodyOf(function.index);
    if (body.bytes.size() != function.size)
      return;
    ArrayRef<CallChange> changes = function.changes;
    uint32_t call = 0;
    std::vector<uint32_t> costs(function.calls.size() + 1);
    std::vector<CallInCode> sites;
    bool isRead = walk(function.index, [&](const wasm::Instruction &instruction) {
      uint32_t offset = function.start + uint32_t(instruction.begin - body.bytes.data());
      for (; !changes.empty() && changes.front().offset <= offset; changes = changes.drop_front())
        call = changes.front().call;
      costs[call] = SaturatingAdd(costs[call], costs_[*instruction.info]);
      addSites(instruction, offset, sites);
    });
    if (!isRead)
      return;
    function.sites = std::move(sites);
    if (!function.calls.empty())
      function.costs = std::move(costs);
  }

private:
  /// Other functions that a call of a function may lead to.
  enum class Leads : uint8_t {
    nowhere,
    /// To open functions.
    outside,
    /// To any.
    anywhere,
  };

  bool hasBody(uint32_t index) const {
    return index >= module_.importedFunctionCount() && index < module_.functionCount();
  }
  const wasm::ByteRange &bodyOf(uint32_t index) const {
    return module_.bodies[index - module_.importedFunctionCount()];
  }
  int32_t idOf(uint32_t index) const { return index < ids_.size() ? ids_[index] : 0; }

  /// False if not all of it could be read.
  bool walk(uint32_t index, function_ref<void(const wasm::Instruction &)> visit) const {
    ByteCursor cursor = bodyOf(index).cursor();
    wasm::skipLocals(cursor);
    wasm::CodeWalker walker(cursor);
    for (wasm::Instruction instruction; walker.next(instruction);)
      visit(instruction);
    return cursor.ok();
  }

  static bool isDirect(const wasm::Instruction &code) {
    return *code.begin == "call"_op || *code.begin == "return_call"_op;
  }
  static bool isIndirect(const wasm::Instruction &code) {
    return *code.begin == "call_indirect"_op || *code.begin == "return_call_indirect"_op ||
           *code.begin == "call_ref"_op || *code.begin == "return_call_ref"_op;
  }

  void addSites(const wasm::Instruction &code, uint32_t offset, std::vector<CallInCode> &sites) {
    if (isIndirect(code)) {
      sites.push_back({offset, CallTarget::openFunctions()});
    } else if (isDirect(code)) {
      if (int32_t id = idOf(code.index()))
        sites.push_back({offset, CallTarget::function(id, isOpen_.test(code.index()))});
      Leads leads = leadsOf(code.index());
      if (leads != Leads::nowhere)
        sites.push_back({offset, leads == Leads::outside ? CallTarget::openFunctions()
                                                         : CallTarget::anyFunction()});
    }
  }

  Leads leadsOf(uint32_t index) {
    // Imported, or not in the module: an unchecked number may be any.
    if (!hasBody(index))
      return idOf(index) ? Leads::nowhere : Leads::outside;
    if (auto known = leads_.find(index); known != leads_.end())
      return known->second;
    Leads leads = findLeads(index);
    leads_[index] = leads;
    return leads;
  }

  Leads findLeads(uint32_t index) const {
    bool isTraced = idOf(index) != 0;
    Leads leads = Leads::nowhere;
    bool isRead = walk(index, [&](const wasm::Instruction &code) {
      bool isTail = code.info->role == wasm::OpcodeRole::tailCalls;
      // Calls made while it is open are its own if it has trace points.
      if (isTail || (!isTraced && isDirect(code)))
        leads = Leads::anywhere;
      else if (!isTraced && isIndirect(code))
        leads = std::max(leads, Leads::outside);
    });
    return isRead ? leads : Leads::anywhere;
  }

  const wasm::Module &module_;
  ArrayRef<int32_t> ids_;
  const wasm::FuelCosts costs_;
  BitVector isOpen_;
  DenseMap<uint32_t, Leads> leads_;
};

} // namespace

void warpo::addCodeOfCalls(ModulePlaces &places, const wasm::Module &module,
                           ArrayRef<int32_t> ids) {
  CallFinder finder(module, ids);
  for (FunctionPlaces &function : places.functions)
    finder.add(function);
}
