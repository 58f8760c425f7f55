//===- WasmSplitFiles.cpp - What Binaryen's wasm-split reads --------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   profile  := hash:u64 timestamp:u32*         little endian; one timestamp for each function with
//                                               code: 0 if it never ran, else its rank, from 1
//   keep     := (name "\n")*
//   manifest := group ("\n" group)*
//   group    := module ":\n" (name "\n")*
//
// The hash is of the module's bytes, each taken as a `char` of the reader's C++.
//
//===----------------------------------------------------------------------===//

#include "BinaryenNames.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

static uint64_t hashOf(ArrayRef<uint8_t> module, bool unsignedChar) {
  uint64_t hash = 0;
  for (uint8_t byte : module) {
    uint64_t value = unsignedChar ? byte : uint64_t(int64_t(int8_t(byte)));
    hash ^= value + 0x9e3779b97f4a7c15 + (hash << 12) + (hash >> 4);
  }
  return hash;
}

namespace {

class SplitProfile : public OrderFile {
public:
  bool isBinary() const override { return true; }

  Error write(const ComputedOrder &order, const OrderFileOptions &options, raw_ostream &os,
              std::vector<std::string> &) const override {
    const OrderModule &module = order.module;
    std::vector<uint32_t> ranks(module.size());
    for (size_t i = 0; i != order.functions.size(); ++i)
      ranks[order.functions[i]] = uint32_t(i + 1);
    support::endian::Writer writer(os, endianness::little);
    writer.write<uint64_t>(hashOf(order.moduleBytes, options.unsignedChar));
    for (uint32_t rank : ArrayRef(ranks).drop_front(module.importedCount()))
      writer.write<uint32_t>(rank);
    return Error::success();
  }
};

class KeepList : public OrderFile {
public:
  Error write(const ComputedOrder &order, const OrderFileOptions &options, raw_ostream &os,
              std::vector<std::string> &omissions) const override {
    auto names = binaryenNames(order, options);
    if (!names)
      return names.takeError();
    for (uint32_t function : order.functions)
      if (const std::string &name = (*names)[function]; isListable(name, omissions))
        os << name << '\n';
    return Error::success();
  }
};

/// Functions of the primary module are not listed: those that at least half of the runs need.
class SplitManifest : public OrderFile {
public:
  Error write(const ComputedOrder &order, const OrderFileOptions &options, raw_ostream &os,
              std::vector<std::string> &omissions) const override {
    auto names = binaryenNames(order, options);
    if (!names)
      return names.takeError();
    std::vector<uint64_t> weights = weightsOf(order);
    uint64_t all = 0;
    for (const OrderRun &run : order.runs)
      all = SaturatingAdd(all, run.weight);
    std::vector<uint32_t> rare;
    for (uint32_t function : order.functions)
      if (weights[function] < all - all / 2)
        rare.push_back(function);
    writeGroup(os, "rare", rare, *names, omissions);
    os << '\n';
    writeGroup(os, "never", order.module.definedExcept(order.functions), *names, omissions);
    return Error::success();
  }

private:
  // For each function, the weight of the runs that need it.
  static std::vector<uint64_t> weightsOf(const ComputedOrder &order) {
    std::vector<uint64_t> weights(order.module.size());
    for (const OrderRun &run : order.runs) {
      for (uint32_t function : run.functions)
        weights[function] = SaturatingAdd(weights[function], run.weight);
      // A saved profile says no more than that it was called.
      for (const FunctionCost &cost : run.costs)
        if (run.functions.empty() && cost.calls > 0)
          weights[cost.function] = SaturatingAdd(weights[cost.function], run.weight);
    }
    return weights;
  }
  static void writeGroup(raw_ostream &os, StringRef module, ArrayRef<uint32_t> functions,
                         ArrayRef<std::string> names, std::vector<std::string> &omissions) {
    os << module << ":\n";
    for (uint32_t function : functions)
      if (isListable(names[function], omissions))
        os << names[function] << '\n';
  }
};

warpo::Registry<OrderFile>::Add<SplitProfile>
    profileRegistration("wasm-split", "a profile for wasm-split, with the ranks of functions");
warpo::Registry<OrderFile>::Add<KeepList> keepRegistration("keep-funcs",
                                                           "for --keep-funcs=@file of wasm-split");
warpo::Registry<OrderFile>::Add<SplitManifest>
    manifestRegistration("split-manifest", "for --manifest of wasm-split --multi-split");

} // namespace
