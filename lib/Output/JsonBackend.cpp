//===- JsonBackend.cpp - A profile as JSON for programs -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file    := {"title", "weights": [{"name", "unit", "total"}], "functions": [function],
//               "contexts": [context]}
//   function := {"name", "module"?, "file"?, "line"?, "inlined"?: [name],
//                "pseudo"?: true}
//   context := {"function": index, "caller": index | null, "depth", "self": [number],
//               "total": [number]}           a number for each weight
//
// The contexts are a flat list, callers before their callees, so that no stack is too deep for a
// JSON reader. Each element of a list is on its own line.
//
//===----------------------------------------------------------------------===//

#include "profile/ContextList.h"
#include "profile/ReaderLimits.h"
#include "text/JsonText.h"

using namespace llvm;
using namespace warpo;

static void writeFunction(const Frame &frame, raw_ostream &os) {
  os << "{\"name\":" << jsonString(frame.name);
  if (!frame.module.empty())
    os << ",\"module\":" << jsonString(frame.module);
  if (!frame.file.empty())
    os << ",\"file\":" << jsonString(frame.file);
  if (frame.line > 0)
    os << ",\"line\":" << frame.line;
  if (!frame.inlined.empty()) {
    os << ",\"inlined\":[";
    for (const std::string &name : frame.inlined)
      os << (&name == &frame.inlined.front() ? "" : ",") << jsonString(name);
    os << ']';
  }
  // Losses and cut calls.
  if (frame.isPseudo)
    os << ",\"pseudo\":true";
  os << '}';
}

namespace {

class JsonBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".json"; }
  bool isBinary() const override { return false; }

  Error write(const Profile &profile, raw_ostream &os) override {
    ContextList list(profile);
    os << "{\"title\":" << jsonString(list.title());
    writeList("weights", list.weights(), os, [&](const WeightColumn &weight) {
      os << "{\"name\":" << jsonString(weight.name) << ",\"unit\":" << jsonString(weight.unit)
         << ",\"total\":" << weight.total << '}';
    });
    writeList("functions", list.frames(), os,
              [&](const Frame &frame) { writeFunction(frame, os); });
    writeList("contexts", list.contexts(), os, [&](const ListedContext &context) {
      os << "{\"function\":" << context.frame << ",\"caller\":";
      if (context.caller == ListedContext::noCaller)
        os << "null";
      else
        os << context.caller;
      auto index = size_t(&context - list.contexts().data());
      os << ",\"depth\":" << context.depth << ",\"self\":[";
      for (const WeightColumn &weight : list.weights())
        os << (&weight == &list.shown() ? "" : ",") << weight.self[index];
      os << "],\"total\":[";
      for (const WeightColumn &weight : list.weights())
        os << (&weight == &list.shown() ? "" : ",") << weight.inclusive[index];
      os << "]}";
    });
    os << "}\n";
    addNotes(notesOfLargeTotals(list, maxExactDouble,
                                "more than many JSON readers take without rounding"));
    return Error::success();
  }

private:
  template <typename T, typename F>
  static void writeList(StringRef name, ArrayRef<T> elements, raw_ostream &os, F writeElement) {
    os << ",\n\"" << name << "\":[";
    for (const T &element : elements) {
      os << (&element == elements.begin() ? "\n" : ",\n");
      writeElement(element);
    }
    os << ']';
  }
};

warpo::Registry<ProfileBackend>::Add<JsonBackend>
    registration("json", "calling contexts for programs, all weights in one file");

} // namespace
