//===- RecordVerifier.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Output/RecordVerifier.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordWalk.h"
#include "warpo/Slice/NestingReplay.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <unordered_map>

using namespace llvm;
using namespace warpo;

namespace {

class Verifier {
public:
  Verifier(RecordReader &reader, FunctionTable &functions, raw_ostream &os)
      : reader_(reader), functions_(functions), nesting_(functions, reader.header()), os_(os) {}

  void check(const RecordBatch &batch);
  void finish(StringRef recordName);
  uint64_t breaches() const { return breaches_; }

private:
  raw_ostream &breach(StringRef place) {
    ++breaches_;
    return os_ << place << ": ";
  }
  uint64_t moduleOf(FunctionIndex function, const StreamInfo &stream) const {
    bool isOneModule = !stream.stack && stream.windows.empty();
    return isOneModule ? stream.moduleId : functions_.moduleIdOf(functions_[function]);
  }
  void check(const NestedEntry &entry);
  /// `traps`: places of the traps behind the stack's last other entry; `id`: that of the entry.
  void checkTraps(std::vector<std::string> &traps, int32_t id, const NestedEntry &entry);
  void reportTrap(StringRef place) { breach(place) << "trap that no end follows\n"; }
  void checkSwitches(StringRef recordName);
  void checkName(const NestedEntry &entry);

  RecordReader &reader_;
  FunctionTable &functions_;
  NestingReplay nesting_;
  raw_ostream &os_;
  uint64_t breaches_ = 0;
  /// By stack.
  std::map<StreamIndex, std::vector<std::string>> traps_;
  /// Functions already reported as missing from the mapping.
  std::vector<bool> unknownSeen_;
};

void Verifier::check(const RecordBatch &batch) {
  std::vector<std::string> &traps = traps_[reader_.header().stackOf(batch.stream)];
  nesting_.replay(
      batch,
      [&](const RecordNote &note) {
        breach(note.place) << describe(note, reader_.header().columns()) << '\n';
        // The end that belongs to the trap may have been lost.
        if (note.kind == NoteKind::lost)
          traps.clear();
      },
      [&](const NestedEntry &entry) {
        check(entry);
        if (int32_t id = batch.ids[entry.index]; LLVM_UNLIKELY(id == trapId || !traps.empty()))
          checkTraps(traps, id, entry);
      });
}

void Verifier::checkTraps(std::vector<std::string> &traps, int32_t id, const NestedEntry &entry) {
  constexpr size_t most = 2;
  if (id == trapId && traps.size() < most) {
    traps.push_back(reader_.placeOf(entry.index));
  } else if (id == trapId) {
    reportTrap(reader_.placeOf(entry.index));
  } else {
    if (entry.begins)
      for_each(traps, [&](StringRef place) { reportTrap(place); });
    traps.clear();
  }
}

// A stack may only continue after another one that it has started or resumed.
void Verifier::checkSwitches(StringRef recordName) {
  const std::vector<StreamInfo> &streams = reader_.header().streams;
  // By stream: the stream that runs within its innermost call.
  std::unordered_map<StreamIndex, StreamIndex> runsWithin;
  for (const RecordedSwitch &change : reader_.header().switches) {
    if (change.kind != RecordedSwitch::Kind::returns) {
      if (change.stack != 0)
        runsWithin[change.from] = change.stream;
      continue;
    }
    auto within = runsWithin.find(change.stream);
    if (within != runsWithin.end() && within->second == change.from)
      runsWithin.erase(within);
    else
      breach(recordName) << functions_.describe(streams[change.stream]) << " goes on after "
                         << functions_.describe(streams[change.from])
                         << ", which did not run within its calls\n";
  }
}

void Verifier::check(const NestedEntry &entry) {
  if (entry.function == noFunction)
    return;
  if (LLVM_UNLIKELY(!functions_[entry.function].known))
    checkName(entry);
  if (LLVM_LIKELY(entry.matched && (entry.unwound.empty() || entry.isTrapped)))
    return;
  raw_ostream &os = breach(reader_.placeOf(entry.index))
                    << "end of function " << functions_[entry.function].id << ", but ";
  if (entry.top == noFunction)
    os << "no call is open\n";
  else
    os << "the open call is " << functions_[entry.top].id << '\n';
}

void Verifier::checkName(const NestedEntry &entry) {
  if (entry.function >= unknownSeen_.size())
    unknownSeen_.resize(entry.function * 2 + 64);
  if (unknownSeen_[entry.function])
    return;
  unknownSeen_[entry.function] = true;
  breach(reader_.placeOf(entry.index))
      << "function " << functions_[entry.function].id << " is not in the mapping\n";
}

void Verifier::finish(StringRef recordName) {
  checkSwitches(recordName);
  for (const auto &[stack, traps] : traps_)
    for_each(traps, [&](StringRef place) { reportTrap(place); });
  const std::vector<StreamInfo> &streams = reader_.header().streams;
  for (StreamIndex stream = 0; stream < streams.size(); ++stream)
    for (FunctionIndex function : reverse(nesting_.openCalls(stream)))
      breach(recordName) << "end of the record, but the open call of module "
                         << moduleOf(function, streams[stream]) << " is " << functions_[function].id
                         << '\n';
}

} // namespace

Expected<uint64_t> warpo::reportBreaches(RecordReader &reader, FunctionTable &functions,
                                         StringRef recordName, raw_ostream &os,
                                         function_ref<Error()> onBatch) {
  Verifier verifier(reader, functions, os);
  auto check = [&](const RecordBatch &batch) {
    verifier.check(batch);
    return onBatch();
  };
  if (Error error = forEachBatch(reader, check))
    return error;
  verifier.finish(recordName);
  return verifier.breaches();
}
