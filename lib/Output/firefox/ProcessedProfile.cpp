//===- ProcessedProfile.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ProcessedProfile.h"
#include "../text/JsonText.h"
#include "warpo/Output/ProfileBackend.h"

using namespace llvm;

namespace warpo::firefox {

char *writeMilliseconds(char *at, uint64_t nanoseconds) {
  at = writeDecimal(at, nanoseconds / 1'000'000);
  *at++ = '.';
  return writeDigits(at, uint32_t(nanoseconds % 1'000'000), 6);
}

void ColumnWriter::add(uint64_t number) {
  add(maxDecimal, [&](char *at) { return writeDecimal(at, number); });
}

uint32_t SharedTables::addFrame(StringRef name, Category category, StringRef file, uint32_t line) {
  std::optional<size_t> number;
  if (!file.empty()) {
    auto [entry, isNew] = fileOfName_.try_emplace(file, files_.size());
    if (isNew)
      files_.push_back(file);
    number = entry->second;
  }
  frames_.push_back({category, uint32_t(functions_.size())});
  functions_.push_back({name, number, line});
  return uint32_t(frames_.size() - 1);
}

uint32_t SharedTables::addFrameLike(uint32_t frame) {
  frames_.push_back({frames_[frame].category, frames_[frame].function});
  return uint32_t(frames_.size() - 1);
}

static std::string lineOrNull(uint32_t line) { return line > 0 ? std::to_string(line) : "null"; }

namespace {

/// A table of `length` rows: `"name":{"length":2,"column":[0,0]}`.
class TableWriter {
public:
  TableWriter(StringRef name, size_t length, TextBuffer &out) : length_(length), out_(out) {
    out_.append(("\"" + name + "\":{\"length\":").str() + std::to_string(length));
  }
  ~TableWriter() { out_.append("}"); }
  TableWriter(const TableWriter &) = delete;
  TableWriter &operator=(const TableWriter &) = delete;

  template <typename F> void column(StringRef name, F valueOf) {
    out_.append(",");
    ColumnWriter values(name, out_);
    for (size_t i = 0; i < length_; ++i)
      values.add(valueOf(i));
  }
  /// A column with the same JSON value in each row.
  void constant(StringRef name, StringRef value) {
    column(name, [&](size_t) { return value; });
  }

private:
  size_t length_;
  TextBuffer &out_;
};

} // namespace

static void writeStacks(const CallTree &stacks, TextBuffer &out) {
  ArrayRef<CallTree::Node> nodes = stacks.nodes().drop_front();
  TableWriter table("stackTable", nodes.size(), out);
  table.column("frame", [&](size_t i) { return uint64_t(nodes[i].function); });
  table.column("prefix", [&](size_t i) {
    NodeIndex parent = nodes[i].parent;
    return parent == CallTree::root ? "null" : std::to_string(parent - 1);
  });
}

void SharedTables::write(const CallTree &stacks, ArrayRef<StringRef> extraStrings,
                         TextBuffer &out) const {
  out.append("\"shared\":{\n");
  {
    ColumnWriter strings("stringArray", out);
    for (const Function &function : functions_)
      strings.add(jsonString(displayName(function.name)));
    for (StringRef text : extraStrings)
      strings.add(jsonString(displayName(text)));
    for (StringRef file : files_)
      strings.add(jsonString(displayName(file)));
  }
  out.append(",\n");
  writeStacks(stacks, out);
  out.append(",\n");
  {
    TableWriter frames("frameTable", frames_.size(), out);
    frames.constant("address", "-1");
    frames.constant("inlineDepth", "0");
    frames.column("category", [&](size_t i) { return uint64_t(frames_[i].category); });
    frames.constant("subcategory", "0");
    frames.column("func", [&](size_t i) { return uint64_t(frames_[i].function); });
    for (StringRef absent : {"nativeSymbol", "innerWindowID"})
      frames.constant(absent, "null");
    frames.column("line", [&](size_t i) { return lineOrNull(frames_[i].executedLine); });
    frames.constant("column", "null");
  }
  out.append(",\n");
  {
    TableWriter functions("funcTable", functions_.size(), out);
    functions.column("name", [](size_t i) { return uint64_t(i); });
    for (StringRef no : {"isJS", "relevantForJS"})
      functions.constant(no, "false");
    functions.constant("resource", "-1");
    functions.column("source", [&](size_t i) {
      return functions_[i].file ? std::to_string(*functions_[i].file) : "null";
    });
    functions.column("lineNumber", [&](size_t i) {
      return lineOrNull(functions_[i].file ? functions_[i].line : 0);
    });
    functions.constant("columnNumber", "null");
  }
  // Required by the format, but unknown here.
  out.append(R"(,
"resourceTable":{"length":0,"lib":[],"name":[],"host":[],"type":[]},
"nativeSymbols":{"length":0,"libIndex":[],"address":[],"name":[],"functionSize":[]},
)");
  {
    TableWriter sources("sources", files_.size(), out);
    sources.constant("id", "null");
    size_t first = functions_.size() + extraStrings.size();
    sources.column("filename", [&](size_t i) { return uint64_t(first + i); });
  }
  out.append("}");
}

void writeMeta(StringRef title, StringRef markerSchema, TextBuffer &out) {
  out.append(R"("meta":{"preprocessedProfileVersion":61,"version":36,"interval":0.001,"startTime":0,
"processType":0,"stackwalk":0,"debug":false,"importedFrom":"warpo","product":)" +
             jsonString(displayName(title)) + R"(,
"categories":[{"name":"Other","color":"grey","subcategories":["Other"]},
{"name":"WebAssembly","color":"blue","subcategories":["Other"]},
{"name":"Lost","color":"red","subcategories":["Other"]},
{"name":"Suspended","color":"yellow","subcategories":["Other"]}],
"sampleUnits":{"time":"ms","eventDelay":"ms","threadCPUDelta":"ns"},
"symbolicated":true,"usesOnlyOneStackType":true,"sourceCodeIsNotOnSearchfox":true,
"markerSchema":)" +
             markerSchema.str() + "}");
}

} // namespace warpo::firefox
