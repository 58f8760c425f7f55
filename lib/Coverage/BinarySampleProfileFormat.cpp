//===- BinarySampleProfileFormat.cpp - Sample profiles in binary ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM's extensible binary format of sample profiles (`extbinary`), version 103. Compilers read
// only the functions that they need from it. LLVM's own writer would add two megabytes of its
// intermediate representation to each tool, so this writes the necessary part of the format:
//
//   file     := magic version sections:u64 (type:u64 flags:u64 offset:u64 size:u64){sections}
//               summary names offsets functions
//   summary  := total max max-entries counts functions cutoffs (cutoff least counts){cutoffs}
//   names    := count (text "\0"){count}
//   offsets  := count (name offset){count}                   into functions
//   functions := (entries body)*
//   body     := name total lines (line discriminator count callees (name count){callees}){lines}
//               inlined (line discriminator body){inlined}
//
// Numbers are LEB128, except for little-endian u64; a name is an index into `names`.
//
//===----------------------------------------------------------------------===//

#include "SampleProfile.h"
#include "warpo/Support/ByteWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

constexpr uint64_t magic = 0x5350524f46343204, version = 103;
enum class SectionType : uint64_t { summary = 1, names = 2, offsets = 4, functions = 32 };
/// Shares of all executions, in millionths. For each, the execution count of the hottest lines that
/// make it up tells compilers what is hot.
constexpr uint64_t cutoffs[] = {10000,  100000, 200000, 300000, 400000, 500000, 600000, 700000,
                                800000, 900000, 950000, 990000, 999000, 999900, 999990, 999999};
constexpr uint64_t allOfThem = 1000000;

using Bytes = SmallVector<uint8_t, 0>;

/// Sums over all lines.
struct Summary {
  uint64_t total = 0, mostEntries = 0, lines = 0;
  /// The number of lines by execution count, the highest count first.
  std::map<uint64_t, uint64_t, std::greater<>> linesByCount;

  void add(const CodeSamples &samples);
  void write(size_t functions, ByteWriter &writer) const;
};

class BinarySampleProfile {
public:
  explicit BinarySampleProfile(const SampleProfile &profile);
  void write(raw_ostream &os) const;

private:
  void addNames(const std::string &name, const CodeSamples &samples);
  void writeBody(const std::string &name, const CodeSamples &samples, ByteWriter &writer) const;
  Bytes encodeNames() const;

  std::map<std::string, uint64_t> names_;
  Bytes summary_, offsets_, functions_;
};

class BinarySampleProfileFormat : public CoverageFormat {
public:
  bool isBinary() const override { return true; }
  bool showsCallTargets() const override { return true; }
  void write(const Coverage &coverage, raw_ostream &os) override {
    SampleProfile profile = makeSampleProfile(coverage);
    BinarySampleProfile(profile).write(os);
    notes_ = std::move(profile.notes);
  }
  std::vector<std::string> notes() const override { return notes_; }

private:
  std::vector<std::string> notes_;
};

} // namespace

void Summary::add(const CodeSamples &samples) {
  for (const auto &[location, body] : samples.body) {
    total = SaturatingAdd(total, body.count);
    ++lines;
    ++linesByCount[body.count];
  }
  for (const auto &[location, calls] : samples.inlined)
    for (const auto &[name, call] : calls)
      add(call);
}

void Summary::write(size_t functions, ByteWriter &writer) const {
  uint64_t most = linesByCount.empty() ? 0 : linesByCount.begin()->first;
  for (uint64_t number : {total, most, mostEntries, lines, uint64_t(functions)})
    writer.uleb(number);
  writer.uleb(std::size(cutoffs));
  auto next = linesByCount.begin();
  uint64_t least = 0, seen = 0, executions = 0;
  for (uint64_t cutoff : cutoffs) {
    auto wanted = uint64_t(static_cast<unsigned __int128>(total) * cutoff / allOfThem);
    for (; executions < wanted && next != linesByCount.end(); ++next) {
      least = next->first;
      seen += next->second;
      executions = SaturatingMultiplyAdd(next->first, next->second, executions);
    }
    for (uint64_t number : {cutoff, least, seen})
      writer.uleb(number);
  }
}

BinarySampleProfile::BinarySampleProfile(const SampleProfile &profile) {
  Summary summary;
  for (const auto &[name, function] : profile.functions) {
    addNames(name, function);
    summary.add(function);
    summary.mostEntries = std::max(summary.mostEntries, function.head);
  }
  for (auto [i, name] : enumerate(names_))
    name.second = i;
  ByteWriter summaryWriter(summary_), offsets(offsets_), functions(functions_);
  summary.write(profile.functions.size(), summaryWriter);
  offsets.uleb(profile.functions.size());
  for (const auto &[name, function] : profile.functions) {
    offsets.uleb(names_.at(name));
    offsets.uleb(functions_.size());
    functions.uleb(function.head);
    writeBody(name, function, functions);
  }
}

void BinarySampleProfile::addNames(const std::string &name, const CodeSamples &samples) {
  names_.try_emplace(name);
  for (const auto &[location, body] : samples.body)
    for (const auto &[callee, count] : body.callees)
      names_.try_emplace(callee);
  for (const auto &[location, calls] : samples.inlined)
    for (const auto &[callee, call] : calls)
      addNames(callee, call);
}

void BinarySampleProfile::writeBody(const std::string &name, const CodeSamples &samples,
                                    ByteWriter &writer) const {
  writer.uleb(names_.at(name));
  writer.uleb(samples.total());
  writer.uleb(samples.body.size());
  for (const auto &[location, body] : samples.body) {
    for (uint64_t number : {uint64_t(location.first), uint64_t(location.second), body.count,
                            uint64_t(body.callees.size())})
      writer.uleb(number);
    // The most frequent callee first, then by name, as in LLVM's output.
    std::vector<std::pair<StringRef, uint64_t>> callees(body.callees.begin(), body.callees.end());
    llvm::sort(callees, [](const auto &a, const auto &b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    for (const auto &[callee, count] : callees) {
      writer.uleb(names_.at(callee.str()));
      writer.uleb(count);
    }
  }
  size_t inlined = 0;
  for (const auto &[location, calls] : samples.inlined)
    inlined += calls.size();
  writer.uleb(inlined);
  for (const auto &[location, calls] : samples.inlined)
    for (const auto &[callee, call] : calls) {
      writer.uleb(location.first);
      writer.uleb(location.second);
      writeBody(callee, call, writer);
    }
}

Bytes BinarySampleProfile::encodeNames() const {
  Bytes bytes;
  ByteWriter writer(bytes);
  writer.uleb(names_.size());
  for (const auto &[name, number] : names_) {
    writer.bytes(arrayRefFromStringRef(name));
    writer.u8(0);
  }
  return bytes;
}

void BinarySampleProfile::write(raw_ostream &os) const {
  Bytes names = encodeNames(), head;
  ByteWriter writer(head);
  auto number = [&](uint64_t value) {
    for (unsigned shift = 0; shift != 64; shift += 8)
      writer.u8(uint8_t(value >> shift));
  };
  writer.uleb(magic);
  writer.uleb(version);
  const std::pair<SectionType, const Bytes *> sections[] = {{SectionType::summary, &summary_},
                                                            {SectionType::names, &names},
                                                            {SectionType::offsets, &offsets_},
                                                            {SectionType::functions, &functions_}};
  number(std::size(sections));
  uint64_t offset = head.size() + std::size(sections) * 4 * sizeof(uint64_t);
  for (const auto &[type, bytes] : sections) {
    for (uint64_t field : {uint64_t(type), uint64_t(0), offset, uint64_t(bytes->size())})
      number(field);
    offset += bytes->size();
  }
  os << toStringRef(head);
  for (const auto &[type, bytes] : sections)
    os << toStringRef(*bytes);
}

static warpo::Registry<CoverageFormat>::Add<BinarySampleProfileFormat>
    registration("sample-profile-binary", "the same in LLVM's binary form (extbinary)");
