//===- SymbolRuns.cpp -----------------------------------------------------===//

#include "SymbolRuns.h"
#include "warpo/Support/Demangle.h"

using namespace llvm;
using namespace warpo;

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
