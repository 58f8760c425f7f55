// SPDX-License-Identifier: Apache-2.0
#include "CallTreeText.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

/// Events as short text: `a10` begins function a at 10, `.20` ends what is open, `?30` is a lost
/// range from the last time to 30, `|` hands on what has gathered, `1|` goes on with stream 1.
class EventText {
public:
  EventText(FunctionTable &functions, EventSink &sink) : functions_(functions), sink_(sink) {}

  void send(StringRef text) {
    SmallVector<StringRef> words;
    text.split(words, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef word : words)
      add(word);
    flush();
  }

private:
  void add(StringRef word) {
    if (word.consume_back("|")) {
      flush();
      if (!word.empty())
        stream_ = word[0] - '0';
      return;
    }
    uint64_t time;
    ASSERT_FALSE(word.drop_front().getAsInteger(10, time)) << word.str();
    uint64_t &last = last_[stream_];
    std::vector<FunctionIndex> &open = open_[stream_];
    if (word[0] == '?') {
      lost_.push_back({uint32_t(events_.size()), last, time, 1, noFunction});
    } else if (word[0] == '.') {
      events_.push_back({time, open.back(), EventKind::endReturned});
      open.pop_back();
    } else {
      FunctionIndex function = functions_.pseudoFunction(word.take_front());
      events_.push_back({time, function, EventKind::begin});
      open.push_back(function);
    }
    last = time;
  }

  void flush() {
    cantFail(sink_.events({stream_, events_, lost_}));
    events_.clear();
    lost_.clear();
  }

  FunctionTable &functions_;
  EventSink &sink_;
  StreamIndex stream_ = 0;
  uint64_t last_[10] = {};
  std::vector<FunctionIndex> open_[10];
  std::vector<Event> events_;
  std::vector<LostRange> lost_;
};

struct FoldCase {
  StringRef name;
  StringRef events;
  /// `name:selfTime/calls(callees)`
  StringRef tree;
  CallTreeBuilder::Options options = {};
  uint64_t callsInOther = 0;
  uint64_t callsTooDeep = 0;
};

} // namespace

TEST(CallTreeBuilder, Folds) {
  const FoldCase cases[] = {
      {"nothing", "", ""},
      {"one call", "a10 .30", "a:20/1"},
      {"self time excludes callees", "a0 b10 .30 .100", "a:80/1(b:20/1)"},
      {"the same context twice", "a0 b1 .3 b5 .9 .10", "a:4/1(b:6/2)"},
      {"recursion is a context of its own", "a0 a1 a2 .3 .5 .9", "a:5/1(a:3/1(a:1/1))"},
      {"time in the host counts for nobody", "a0 .10 a500 .510", "a:20/2"},
      {"no time passes", "a7 b7 .7 .7", "a:0/1(b:0/1)"},
      {"across batches", "a0 | b10 | .30 | .100", "a:80/1(b:20/1)"},
      {"streams share contexts and no time", "a0 1| a1000 0| .10 1| .1001", "a:11/2"},
      {"lost within a call", "a0 b10 ?50 .70 .80", "a:20/1(b:20/1([lost]:40/1))"},
      {"lost in the host", "a0 .10 ?50 a60 .70", "a:20/2 [lost]:40/1"},
      {"lost at the end of a batch", "a0 ?5 | .6", "a:1/1([lost]:5/1)"},
      {"sums stop at the largest number",
       "a0 .10000000000000000000 1| a0 b1 .10000000000000000000 a10000000000000000000 "
       ".10000000000000000005 .10000000000000000006",
       "a:10000000000000000002/2(a:5/1 b:9999999999999999999/1)"},
      {"sums of one context stop at the largest number",
       "a0 .10000000000000000000 1| a0 .10000000000000000000 2| a0 .1", "a:18446744073709551615/3"},
      {"lost time stops at the largest number",
       "a0 ?10000000000000000000 .10000000000000000000 1| a0 ?10000000000000000000",
       "a:0/2([lost]:18446744073709551615/2)"},
      {"a full tree keeps what it has",
       "a0 b1 .2 c3 d4 .6 .7 b8 .9 .10",
       "a:4/1(b:2/2 (other):4/2)",
       {.maxContexts = 2},
       2},
      {"a full tree has all calls from the host",
       "a0 .2 b3 c4 .5 .6",
       "a:2/1 b:2/1((other):1/1)",
       {.maxContexts = 1},
       1},
      {"what is other stays other",
       "a0 b1 c2 .3 .4 .5",
       "a:2/1((other):3/2)",
       {.maxContexts = 1},
       2},
      {"too deep",
       "a0 b1 c2 d3 .4 c5 .6 .7 .8 .9",
       "a:2/1(b:2/1((deeper):5/3))",
       {.maxDepth = 2},
       0,
       3},
      {"too deep in a full tree",
       "a0 b1 c2 .3 .4 .5",
       "a:2/1((other):3/2)",
       {.maxContexts = 1, .maxDepth = 2},
       2,
       0},
  };
  for (const FoldCase &test : cases) {
    SCOPED_TRACE(test.name.str());
    FunctionTable functions;
    // In the order of the alphabet, so that the text shows them so.
    for (StringRef name : {"a", "b", "c", "d"})
      functions.pseudoFunction(name);
    CallTreeBuilder builder(functions, test.options);
    EventText(functions, builder).send(test.events);
    cantFail(builder.finish());
    EXPECT_EQ(text(builder.tree(), [&](FunctionIndex f) { return functions[f].name.str(); }),
              test.tree);
    EXPECT_EQ(builder.callsInOther(), test.callsInOther);
    EXPECT_EQ(builder.callsTooDeep(), test.callsTooDeep);
  }
}
