//===- SymbolRuns.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SymbolRuns.h"
#include "warpo/Support/Demangle.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace warpo;

Expected<std::optional<OrderFileMapping>> warpo::readLlvmMapping(StringRef path) {
  if (path.empty())
    return std::nullopt;
  auto mapping = readOrderFileMapping(path);
  if (!mapping)
    return mapping.takeError();
  return std::move(*mapping);
}

static Expected<bool> isProftext(StringRef path) {
  // A pipe, which may have a record, can be read only once.
  if (!sys::fs::is_regular_file(path))
    return false;
  auto stream = InputStream::open(path);
  if (!stream)
    return stream.takeError();
  auto start = (*stream)->window(4096);
  if (!start)
    return start.takeError();
  return looksLikeProftext(*start);
}

Expected<std::optional<std::vector<SymbolRun>>>
warpo::readSymbolRuns(StringRef path, const OrderFileMapping *mapping) {
  auto isText = isProftext(path);
  if (!isText)
    return isText.takeError();
  if (!*isText && !mapping)
    return std::nullopt;
  if (!*isText) {
    auto run = readOrderFileDump(path, *mapping);
    if (!run)
      return run.takeError();
    return std::vector<SymbolRun>{std::move(*run)};
  }
  auto stream = InputStream::open(path);
  if (!stream)
    return stream.takeError();
  auto runs = readProftext(std::move(*stream));
  if (!runs)
    return runs.takeError();
  return std::move(*runs);
}

SymbolIndex::SymbolIndex(const OrderModule &module, ArrayRef<std::string> symbols)
    : module_(module) {
  for (size_t i = 0; i != symbols.size(); ++i)
    bySymbol_.try_emplace(symbols[i], module.importedCount() + uint32_t(i));
}

std::optional<uint32_t> SymbolIndex::find(StringRef symbol) const {
  if (size_t local = symbol.rfind(';'); local != StringRef::npos)
    symbol = symbol.drop_front(local + 1);
  for (const std::string &name : {symbol.str(), demangleName(symbol)})
    if (ArrayRef<uint32_t> found = module_.find(name); found.size() == 1)
      return found.front();
  auto found = bySymbol_.find(symbol);
  return found == bySymbol_.end() ? std::nullopt : std::optional(found->second);
}

OrderRun SymbolIndex::match(const SymbolRun &run, StringRef name, UnmatchedNames &unmatched,
                            uint64_t &repeated) const {
  OrderRun result;
  result.name = name.str();
  result.weight = run.weight;
  std::vector<bool> seen(module_.size());
  for (const std::string &symbol : run.symbols) {
    std::optional<uint32_t> function = find(symbol);
    if (!function) {
      unmatched.add(symbol, module_);
      continue;
    }
    if (seen[*function])
      ++repeated;
    else if (!module_.isImported(*function))
      result.functions.push_back(*function);
    seen[*function] = true;
  }
  return result;
}
