//===- LlvmRuns.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/LlvmRuns.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/LineReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral tracesHeader = ":temporal_prof_traces";

bool warpo::looksLikeProftext(ArrayRef<uint8_t> start) {
  StringRef text = toStringRef(start);
  while (text.consume_front("#"))
    text = text.split('\n').second;
  return any_of(ArrayRef<StringRef>{":ir", ":fe", ":csir", ":entry_first", ":not_entry_first",
                                    ":single_byte_coverage", tracesHeader},
                [&](StringRef header) { return text.starts_with(header); });
}

namespace {

/// The lines of a profile that say something.
class ProftextLines {
public:
  explicit ProftextLines(std::unique_ptr<InputStream> input) : reader_(std::move(input)) {}

  Expected<std::optional<StringRef>> next() {
    while (true) {
      auto line = reader_.next();
      if (!line || !*line)
        return line;
      StringRef text = (*line)->trim();
      if (!text.empty() && !text.starts_with("#"))
        return std::optional(text);
    }
  }
  Expected<StringRef> expect(StringRef what) {
    auto line = next();
    if (!line)
      return line.takeError();
    if (!*line)
      return error("the file ends before " + what);
    return **line;
  }
  Expected<uint64_t> expectNumber(StringRef what) {
    auto text = expect(what);
    if (!text)
      return text.takeError();
    uint64_t number;
    if (text->getAsInteger(10, number))
      return error("'" + *text + "' is no number, but here is " + what);
    return number;
  }
  Error error(const Twine &message) {
    return lineError(reader_.input().name(), reader_.lineNumber(), message);
  }

private:
  LineReader reader_;
};

} // namespace

Expected<std::vector<SymbolRun>> warpo::readProftext(std::unique_ptr<InputStream> input) {
  ProftextLines lines(std::move(input));
  while (true) {
    auto line = lines.next();
    if (!line)
      return line.takeError();
    if (!*line)
      return lines.error("the profile has no temporal profile traces");
    if (**line == tracesHeader)
      break;
  }
  auto count = lines.expectNumber("the number of traces");
  if (!count)
    return count.takeError();
  if (auto streamSize = lines.expectNumber("the number of traces seen"); !streamSize)
    return streamSize.takeError();
  std::vector<SymbolRun> runs;
  for (uint64_t i = 0; i != *count; ++i) {
    auto weight = lines.expectNumber("the weight of a trace");
    if (!weight)
      return weight.takeError();
    auto names = lines.expect("a trace");
    if (!names)
      return names.takeError();
    SymbolRun run{std::max<uint64_t>(*weight, 1), {}};
    for (StringRef name : split(*names, ','))
      if (!name.empty())
        run.symbols.push_back(name.str());
    runs.push_back(std::move(run));
  }
  return runs;
}

Expected<OrderFileMapping> warpo::readOrderFileMapping(StringRef path) {
  auto input = InputStream::open(path);
  if (!input)
    return input.takeError();
  LineReader lines(std::move(*input));
  OrderFileMapping mapping;
  while (true) {
    auto line = lines.next();
    if (!line)
      return line.takeError();
    if (!*line)
      return mapping;
    StringRef text = (*line)->trim();
    if (text.empty())
      continue;
    uint64_t hash;
    bool isEntry = text.consume_front("MD5 ");
    auto [number, symbol] = text.split(' ');
    if (!isEntry || symbol.empty() || number.getAsInteger(16, hash))
      return lineError(path, lines.lineNumber(), "no line `MD5 <hash> <symbol>`");
    mapping[hash] = symbol.str();
  }
}

Expected<SymbolRun> warpo::readOrderFileDump(StringRef path, const OrderFileMapping &mapping) {
  auto buffer = readWholeInput(path);
  if (!buffer)
    return buffer.takeError();
  StringRef bytes = (*buffer)->getBuffer();
  if (bytes.size() % 8 != 0)
    return offsetError((*buffer)->getBufferIdentifier(), bytes.size() / 8 * 8,
                       "the dump is cut off: " + countOf(bytes.size() % 8, "byte") +
                           " of a hash of 8");
  SymbolRun run;
  for (; !bytes.empty(); bytes = bytes.drop_front(8)) {
    uint64_t hash = support::endian::read64le(bytes.data());
    if (hash == 0)
      continue;
    auto known = mapping.find(hash);
    run.symbols.push_back(known != mapping.end() ? known->second : "0x" + utohexstr(hash, true));
  }
  return run;
}
