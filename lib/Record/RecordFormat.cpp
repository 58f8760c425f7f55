//===- RecordFormat.cpp ---------------------------------------------------===//

#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(RecordFormat)

RecordReader::~RecordReader() = default;
RecordWriter::~RecordWriter() = default;
RecordFormat::~RecordFormat() = default;

std::optional<StreamIndex> RecordReader::addStream(StreamInfo stream) {
  if (header_.streams.size() == maxStreams)
    return std::nullopt;
  header_.streams.push_back(std::move(stream));
  return StreamIndex(header_.streams.size() - 1);
}

Expected<std::optional<uint64_t>> RecordReader::keepOnly(uint64_t, uint64_t) {
  return std::nullopt;
}

std::optional<uint32_t> RecordReader::addStack(RecordedStack stack) {
  if (header_.stacks.size() == maxStacks)
    return std::nullopt;
  header_.stacks.push_back(std::move(stack));
  return uint32_t(header_.stacks.size() - 1);
}

std::string RecordHeader::silenceCaveat() const {
  if (clockBits >= 64)
    return "";
  return ("its clock has " + Twine(clockBits) + " bits: a silence of more than 2^" +
          Twine(clockBits) + " counts cannot be seen")
      .str();
}

bool RecordFormat::sniff(ArrayRef<uint8_t>) const { return false; }

Expected<std::unique_ptr<RecordReader>>
RecordFormat::open(std::unique_ptr<InputStream> input) const {
  return fileError(input->name(), "records of this format can only be written, not read");
}

Expected<std::unique_ptr<RecordWriter>> RecordFormat::create(raw_ostream &,
                                                             const RecordWriterContext &) const {
  return makeError("records of this format can only be read, not written");
}

Expected<std::unique_ptr<RecordReader>> warpo::openRecord(std::unique_ptr<InputStream> input,
                                                          StringRef formatName) {
  if (!formatName.empty()) {
    auto format = warpo::Registry<RecordFormat>::create(formatName);
    if (!format)
      return format.takeError();
    return (*format)->open(std::move(input));
  }
  auto known = warpo::Registry<RecordFormat>::entries();
  if (!known)
    return known.takeError();
  auto start = input->window(RecordFormat::sniffSize);
  if (!start)
    return start.takeError();
  if (start->empty())
    return fileError(input->name(), "the record is empty");
  std::string names;
  for (const RegistryEntryInfo &entry : *known) {
    auto format = warpo::Registry<RecordFormat>::create(entry.name);
    if (!format)
      return format.takeError();
    if ((*format)->sniff(start->take_front(RecordFormat::sniffSize)))
      return (*format)->open(std::move(input));
    if ((*format)->canRead())
      names += (names.empty() ? "" : ", ") + entry.name.str();
  }
  return fileError(input->name(), "not a record of a known format (known: " + names + ")");
}
