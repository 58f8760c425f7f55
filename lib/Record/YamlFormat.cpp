//===- YamlFormat.cpp - The record as text --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The format for tests, and for people and scripts that examine a record. A YAML document of this
// form, read in one pass, line by line:
//
//   warpo-record: 1             # the version of this format
//   rate: 0.4                   # nanoseconds a count; may be missing
//   clock-bits: 32              # how many bits of the clock were recorded; if missing, 64
//   clocks: time, fuel          # the first is that of times; if missing, time
//   entries:
//     - module: 16              # what follows is of this module (before the first: of module 0)
//     - [1000, 16777216]        # time and id: a call of function 16777216 begins
//     - [1200, -16777216, 55]   # … and ends, when 55 units of fuel had been burnt
//     - lost: 3                 # so many events are missing here, 0: unknown how many
//     - {module: 16, name: "worker"}
//
//   record  := "warpo-record: 1" field* entries
//   field   := "rate: " rate | "clock-bits: " number | "clocks: " clock ("," clock)*
//   entries := "entries: []" | "entries:" item+
//   item    := "- [" time "," id ("," number)* "]" | "- lost: " count
//            | "- sample: [" time ("," number)* ("," (id | "[" id "," offset "]" | text))* "]"
//            | "- phase: [" time "," time "," text ("," number "," text ("," text)?)? "]"
//            | "- window: [" module "," id "," id "," number "]"
//            | "- switch: [" kind "," time ("," module "," text "," time ("," frame)*)? "]"
//            | "- linked: [" module ("," id)* "]"
//            | "- place: [" module "," id "," file "," line ("," name)* "]"
//            | "- heap: [" operation "," time "," memory ("," number)* ("," frame)* "]"
//            | "- heap-interval: " number
//            | "- module: " module | "- {module: " module ", name: " text (", host: true")? "}"
//   frame   := "[" module "," id "]" | text
//   kind    := "starts" | "resumes" | "returns"
//   operation := "allocate" | "free" | "reallocate" | "grow" | "grow-table"
//   clock   := name (":" how it counts)?
//
// A sample has its time, what was spent since the one before of each clock (of a record with time
// alone also of fuel), and its stack, outermost frame first; ids are of the stream's module.
// A window says that a further module is on the stream's stack: its id, the first of its ids, what
// that and those behind it are in the stream's entries, and how many there are.
// A switch says that the stream's stack runs from a time on: it starts anew, goes on after it was
// suspended, or goes on after the stack that it had started or resumed itself. It may say which
// stream ran before, what that one's time was, and which calls were open there, outermost first.
// Linked functions are imported ones, bound to functions of other modules.
// A place says in which file and line a function begins (an empty file, line 0: unknown), and the
// names of what was inlined into it. Those of a module stand together, by id.
// A heap event has its memory's number, or its table's, as they are numbered apart; allocate then
// an address and a size, free an address, reallocate the old address, the new one and the size,
// grow the memory's size, grow-table the table's; and the calls that were open, outermost first.
// The interval says that those of the stream are of sampled allocations. Module and name identify a
// stream; calls of the host are no functions of the module. A phase of the host has its begin, its
// end, its name, how much it did and in which unit (an empty one: unknown), and its run.  A count
// that an entry lacks is that of the entry before. Times are counts since the record's origin, from
// -2^32 to 2^63: one from before the origin is negative. Numbers are decimal, a text is plain or
// quoted as in JSON. Comments, empty lines, spaces between words and the line `---` at the start
// are free; all items are indented alike. docs/records.md says the same to users.
//
//===----------------------------------------------------------------------===//

#include "yaml-format/LineCursor.h"
#include "yaml-format/YamlRecord.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

class YamlFormat : public RecordFormat {
public:
  StringRef extension() const override { return ".yaml"; }
  bool isBinary() const override { return false; }
  bool canRead() const override { return true; }
  bool sniff(ArrayRef<uint8_t> start) const override {
    StringRef rest = toStringRef(start);
    while (!rest.empty()) {
      StringRef line;
      std::tie(line, rest) = rest.split('\n');
      line = line.rtrim();
      if (line != "---" && !LineCursor(line).atEnd())
        return line.starts_with(yamlVersionKey);
    }
    return false;
  }
  Expected<std::unique_ptr<RecordReader>> open(std::unique_ptr<InputStream> input) const override {
    return openYamlRecord(std::move(input));
  }
  Expected<std::unique_ptr<RecordWriter>>
  create(raw_ostream &os, const RecordWriterContext &context) const override {
    return createYamlWriter(os, context);
  }
};

warpo::Registry<RecordFormat>::Add<YamlFormat>
    registration("yaml", "text to read and write by hand, one line an entry");

} // namespace
