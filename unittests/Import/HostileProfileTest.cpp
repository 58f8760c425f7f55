//===- HostileProfileTest.cpp - Files that are not what they say ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each is an error that says what is wrong, or a profile of what is right.
//
//===----------------------------------------------------------------------===//

#include "pprof/profile.pb.h"
#include "warpo/Profile/SavedProfile.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

/// The stacks with their shown weights, `a;b 3` each, or the error.
static std::string read(StringRef format, StringRef text) {
  auto reader = cantFail(warpo::Registry<ProfileFormat>::create(format));
  auto profile = reader->read(arrayRefFromStringRef(text), "file");
  if (!profile)
    return toString(profile.takeError());
  std::string result;
  for (NodeIndex node = 1; node < profile->tree.size(); ++node) {
    if (profile->self(node) == 0)
      continue;
    std::string stack;
    for (NodeIndex at = node; at != ContextTree::root; at = profile->tree[at].parent)
      stack = profile->name(at).str() + (stack.empty() ? "" : ";") + stack;
    result += (result.empty() ? "" : "\n") + stack + " " + std::to_string(profile->self(node));
  }
  return result;
}

TEST(HostileProfile, Folded) {
  EXPECT_EQ(read("folded", "a;b 3\na 1\n\n# note\na;b 2\r\n"), "a 1\na;b 5");
  EXPECT_EQ(read("folded", "a;b 3"), "a;b 3");
  EXPECT_EQ(read("folded", "a b;c d 1.6"), "a b;c d 2");
  EXPECT_EQ(read("folded", "a 18446744073709551615\na 1"), "a 18446744073709551615");
  EXPECT_EQ(read("folded", "a;b 3\na;b\n"), "file:2: expected `function;function weight`");
  EXPECT_EQ(read("folded", "a -3"), "file:1: expected `function;function weight`");
  EXPECT_EQ(read("folded", " 3"), "file:1: expected `function;function weight`");
  EXPECT_EQ(read("folded", "a;b 3 4\na 1 2"),
            "file: each stack has two weights: differences cannot be read");
  EXPECT_EQ(read("folded", "main;worker 1 10\nmain 3"), "main 3\nmain;worker 1 10");
}

TEST(HostileProfile, Speedscope) {
  auto file = [](const Twine &frames, const Twine &profile) {
    return ("{\"shared\":{\"frames\":[" + frames + "]},\"profiles\":[" + profile + "]}").str();
  };
  const char *frames = R"({"name":"a"},{"name":"b","file":"b.c","line":2})";
  auto sampled = [&](const Twine &samples, const Twine &weights) {
    return file(frames, R"({"type":"sampled","unit":"milliseconds","samples":[)" + samples +
                            "],\"weights\":[" + weights + "]}");
  };
  auto evented = [&](const Twine &events) {
    return file(frames, R"({"type":"evented","unit":"none","events":[)" + events + "]}");
  };
  EXPECT_EQ(read("speedscope", sampled("[0,1],[0]", "2,0.5")), "a 500000\na;b 2000000");
  EXPECT_EQ(read("speedscope", sampled("[0,2]", "1")),
            "file: profile 0: sample 0 has a frame that is not one of the 2 frames");
  EXPECT_EQ(read("speedscope", sampled("[-1]", "1")),
            "file: profile 0: sample 0 has a frame that is not one of the 2 frames");
  EXPECT_EQ(read("speedscope", sampled("[0]", "-1")),
            "file: profile 0: the weight of sample 0 is not a number from 0 on");
  EXPECT_EQ(read("speedscope", sampled("3", "1")),
            "file: profile 0: sample 0 is not a list of frames");
  EXPECT_EQ(read("speedscope", file(frames, R"({"type":"other"})")),
            "file: profile 0: its type is neither `sampled` nor `evented`");
  EXPECT_EQ(read("speedscope", file(frames, "")), "file: it has no samples");

  const char *open = R"({"type":"O","at":1,"frame":0})";
  EXPECT_EQ(read("speedscope", evented(Twine(open) + R"(,{"type":"O","at":4,"frame":1},)"
                                                     R"({"type":"C","at":6,"frame":1},)"
                                                     R"({"type":"C","at":7,"frame":0})")),
            "a 4\na;b 2");
  EXPECT_EQ(read("speedscope", evented(Twine(open) + R"(,{"type":"C","at":0,"frame":0})")),
            "file: profile 0: event 1 is earlier than the one before");
  EXPECT_EQ(read("speedscope", evented(Twine(open) + R"(,{"type":"C","at":2,"frame":1})")),
            "file: profile 0: event 1 closes a frame that is not the innermost open one");
  EXPECT_EQ(read("speedscope", evented(R"({"type":"C","at":2,"frame":0})")),
            "file: profile 0: event 0 closes a frame that is not the innermost open one");
  EXPECT_EQ(read("speedscope", evented(R"({"type":"X","at":2,"frame":0})")),
            "file: profile 0: event 0 neither opens nor closes a frame");
  EXPECT_EQ(read("speedscope", evented(R"({"type":"O","at":1e999,"frame":0})")),
            "file: profile 0: event 0 has no time or no frame");
  EXPECT_EQ(
      read("speedscope",
           file(frames,
                R"({"type":"evented","endValue":9,"events":[{"type":"O","at":2,"frame":0}]})")),
      "a 7");
  EXPECT_EQ(read("speedscope", evented(R"({"type":"O","frame":0})")),
            "file: profile 0: event 0 has no time or no frame");
}

TEST(HostileProfile, CpuProfile) {
  auto file = [](const Twine &nodes, const Twine &rest) {
    return ("{\"nodes\":[" + nodes + "]" + rest + "}").str();
  };
  auto node = [](int id, const Twine &name, const Twine &children) {
    return (R"({"id":)" + Twine(id) + R"(,"callFrame":{"functionName":")" + name +
            R"(","url":"a.js","lineNumber":3},"hitCount":2,"children":[)" + children + "]}")
        .str();
  };
  std::string tree = node(1, "(root)", "2,4") + "," + node(2, "a", "3") + "," + node(3, "", "") +
                     "," + node(4, "(idle)", "");
  EXPECT_EQ(read("cpuprofile", file(tree, R"(,"startTime":0,"endTime":20,"samples":[2,3,4,3],)"
                                          R"("timeDeltas":[1,2,3,4])")),
            "a 2000\na;(anonymous) 13000");
  // The third was taken before the second.
  EXPECT_EQ(read("cpuprofile", file(tree, R"(,"samples":[2,3,2,1],"timeDeltas":[1,5,-3,9])")),
            "a 5000\na;(anonymous) 6000");
  EXPECT_EQ(read("cpuprofile", file(tree, "")), "a 2\na;(anonymous) 2");
  EXPECT_EQ(read("cpuprofile", file(tree, R"(,"samples":[7])")),
            "file: sample 0 is not one of the nodes");
  EXPECT_EQ(read("cpuprofile", file(tree, R"(,"samples":[2],"timeDeltas":["x"])")),
            "file: the delta of sample 0 is not a number of microseconds");
  EXPECT_EQ(read("cpuprofile", file(node(1, "a", "2") + "," + node(2, "b", "1"), "")),
            "file: node 0 calls itself by way of its callees");
  EXPECT_EQ(read("cpuprofile", file(node(1, "a", "9"), "")),
            "file: node 0 has a callee that is not one of the nodes");
  EXPECT_EQ(read("cpuprofile", file(node(1, "a", "") + "," + node(1, "b", ""), "")),
            "file: node 1 has the id of another one, 1");
  EXPECT_EQ(read("cpuprofile", file("3", "")), "file: node 0 has no id or no callFrame");
}

TEST(HostileProfile, Firefox) {
  auto file = [](const Twine &stacks, const Twine &frames, const Twine &samples) {
    return (R"({"meta":{"preprocessedProfileVersion":49,"interval":2},"threads":[{)"
            R"("stringArray":["a","b","a.c"],)" +
            stacks + "," + frames +
            R"(,"funcTable":{"name":[0,1,9],"fileName":[2,null,null],"lineNumber":[7,null,null]},)" +
            samples + "}]}")
        .str();
  };
  const char *stacks = R"("stackTable":{"frame":[0,1],"prefix":[null,0]})";
  const char *frames = R"("frameTable":{"func":[0,1],"line":[8,null]})";
  const char *samples = R"("samples":{"stack":[0,1,null,1]})";
  EXPECT_EQ(read("firefox", file(stacks, frames, samples)), "a 2000000\na;b 4000000");
  EXPECT_EQ(
      read("firefox", file(R"("stackTable":{"frame":[0,1],"prefix":[1,null]})", frames, samples)),
      "file: stack 0 has a caller that comes after it, 1");
  EXPECT_EQ(read("firefox", file(R"("stackTable":{"frame":[5],"prefix":[null]})", frames, samples)),
            "file: frame 5 is not one of the 2 frames");
  EXPECT_EQ(read("firefox", file(stacks, R"("frameTable":{"func":[0,4]})", samples)),
            "file: frame 1 is of none of the 3 functions");
  EXPECT_EQ(read("firefox", file(stacks, R"("frameTable":{"func":[0,2]})", samples)),
            "file: frame 1 has a name that is not one of the 3 strings");
  EXPECT_EQ(read("firefox", file(stacks, frames, R"("samples":{"stack":[2]})")),
            "file: sample 0 of thread 0 has a stack that is not one of the 2");
  EXPECT_EQ(read("firefox", file(stacks, frames, R"("samples":{"stack":[0],"weight":[-1]})")),
            "file: sample 0 of thread 0 has a weight that is not a number from 0 on");
  EXPECT_EQ(
      read("firefox", file(R"("stackTable":{"frame":[0],"prefixOffset":[0]})", frames, samples)),
      "file: its stackTable has 1 frames and 0 of the prefixes that say their callers");
  EXPECT_EQ(read("firefox", R"({"meta":{}})"),
            "file: not a processed profile: meta.preprocessedProfileVersion is missing");
}

TEST(HostileProfile, Json) {
  for (StringRef format : {"speedscope", "cpuprofile", "firefox"}) {
    EXPECT_EQ(read(format, "[]"), "file: expected an object");
    EXPECT_EQ(read(format, "{\"a\":" + std::string(1'000'000, '[')),
              "file:0x69: JSON that is nested more than 100 deep");
    EXPECT_EQ(read(format, "{\"a\":"), "file:0x5: the text ends too early");
  }
  // Half a character, and a byte of zero.
  EXPECT_EQ(read("speedscope",
                 "{\"shared\":{\"frames\":[{\"name\":\"a\xc3\"},{\"name\":\"\\u0000\"}]},"
                 "\"profiles\":[{\"type\":\"sampled\",\"samples\":[[0]]}]}"),
            "a\xef\xbf\xbd 1");
}

TEST(HostileProfile, Pprof) {
  EXPECT_EQ(read("pprof", ""), "file: it has no samples");
  EXPECT_EQ(read("pprof", "\x0a\x7f"),
            "file: not a profile of pprof: the message is damaged or cut off");
  // A weight that is called as string 1 is, a sample of location 5.
  std::string start("\x0a\x02\x08\x01\x32\x00\x32\x01w", 9);
  std::string sample("\x12\x04\x08\x05\x10\x03", 6);
  EXPECT_EQ(read("pprof", start + sample),
            "file: sample 0 has location 5, which the file does not have");
  EXPECT_EQ(read("pprof", start + sample + std::string("\x22\x04\x08\x05\x18\x1f", 6)), "0x1f 3");
  EXPECT_EQ(read("pprof", start + sample + std::string("\x22\x06\x08\x05\x22\x02\x08\x09", 8)),
            "file: location 5 has function 9, which the file does not have");
  EXPECT_EQ(read("pprof", start + std::string("\x12\x02\x08\x05", 4)),
            "file: sample 0 has 0 values, for 1 weights");
  EXPECT_EQ(read("pprof",
                 start + std::string("\x12\x0b\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 13)),
            "file: sample 0 has the value -1: differences cannot be read");
}

TEST(HostileProfile, PprofLinesAreOfOneFunction) {
  // Samples of two lines of a function whose start is not known.
  pprof::Profile file;
  for (const char *text : {"", "calls", "count", "run", "a.c"})
    file.add_string_table(text);
  file.add_sample_type()->set_type(1);
  file.mutable_sample_type(0)->set_unit(2);
  pprof::Function &function = *file.add_function();
  function.set_id(1);
  function.set_name(3);
  function.set_filename(4);
  for (int i : {1, 2}) {
    pprof::Location &location = *file.add_location();
    location.set_id(uint64_t(i));
    location.add_line()->set_function_id(1);
    location.mutable_line(0)->set_line(10 + i);
    pprof::Sample &sample = *file.add_sample();
    sample.add_location_id(uint64_t(i));
    sample.add_value(1);
  }
  std::string bytes = file.SerializeAsString();
  auto reader = cantFail(warpo::Registry<ProfileFormat>::create("pprof"));
  Profile profile = cantFail(reader->read(arrayRefFromStringRef(bytes), "file"));
  ASSERT_EQ(profile.functions.size(), 2U);
  EXPECT_EQ(withoutLines(profile.functions), (std::vector<FunctionIndex>{0, 0}));
  EXPECT_EQ(profile.functions[1].executedLine, 12U);
}

TEST(HostileProfile, PprofSaysAPathAgainAndAgain) {
  pprof::Profile file;
  file.add_sample_type();
  file.add_function()->set_id(1);
  pprof::Location &location = *file.add_location();
  location.set_id(1);
  for (int i = 0; i < 4000; ++i)
    location.add_line()->set_function_id(1);
  pprof::Sample &sample = *file.add_sample();
  for (int i = 0; i < 5000; ++i)
    sample.add_location_id(1);
  sample.add_value(1);
  std::string bytes = file.SerializeAsString();
  auto reader = cantFail(warpo::Registry<ProfileFormat>::create("pprof"));
  EXPECT_EQ(toString(reader->read(arrayRefFromStringRef(bytes), "file").takeError()),
            "file: it has more than 4194304 contexts: functions, each with the calls above it");
}

TEST(HostileProfile, PprofIsRecognised) {
  auto isProfile = [](StringRef text) {
    return cantFail(warpo::Registry<ProfileFormat>::create("pprof"))
        ->sniff(arrayRefFromStringRef(text));
  };
  // As Go writes them: the time first, then two weights; and as we do.
  EXPECT_TRUE(
      isProfile(StringRef("\x48\xdf\x99\x06\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04", 16)));
  EXPECT_TRUE(isProfile(StringRef("\x0a\x04\x08\x01\x10\x02\x12\x04\x0a\x01", 10)));
  for (StringRef text : {"", "\n", "\n\na;b 3\n", "a;b 3\nc 4\n", "{\"a\": 1}", "hello world",
                         "\x0a\x04\x18\x01\x10\x02\x12\x02\x08\x05"})
    EXPECT_FALSE(isProfile(text)) << text.str();
}

TEST(HostileProfile, PerfScript) {
  EXPECT_EQ(read("perf-script", "# note\nnode 12/13 [001] 5.25:     250 cycles:u: \n"
                                "\t    7f12 inner+0x1f (/usr/lib/a b.so)\n"
                                "\t    7f00 Function:parse-3-turbofan+0x2 (/tmp/perf-1.map)\n\n"
                                "node 12 6.25: 50 cycles: \n\t 7f00 other (x)\n"),
            "parse;inner 1\nother 1");
  EXPECT_EQ(read("perf-script", "node 12 6.25: 50 cpu-clock: \n\t 7f00 other (x)\n"), "other 50");
  const std::string header = "node 12 6.25: 50 ";
  EXPECT_EQ(
      read("perf-script", header + "cycles: \n\t 7f00 in(int)+0x2 (/memfd:jit (deleted))\n\n" +
                              header + "cycles: \n\t 7f04 in(int)+0x6 (/memfd:jit (deleted))\n"),
      "in(int) 2");
  // Without addresses; with lines.
  EXPECT_EQ(read("perf-script", header + "cycles: \n\tinner (x)\n\tmain (x)\n"), "main;inner 1");
  EXPECT_EQ(read("perf-script",
                 header + "cycles: \n\t7f00 inner (x)\n  a.c:3\n\t7f01 main (x)\n  x[7f]\n"),
            "main;inner 1");
  EXPECT_EQ(read("perf-script", "\t 7f00 other (x)\n"), "file:1: a frame without a sample");
  EXPECT_EQ(read("perf-script", "hello world\n"), "file:1: expected `command pid time: event:`");
  EXPECT_EQ(read("perf-script", "node 12 6.25: 50 cycles: \n\n"), "(root) 1");
}
