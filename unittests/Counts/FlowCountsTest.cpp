//===- FlowCountsTest.cpp - Few counters tell how often everything ran ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Against an interpreter that knows nothing of runs: random code is executed with random
// decisions, and how often each place in front of an instruction was passed is counted. The
// counters of a plan are the numbers at its places; what follows from them has to be all others.
//
//===----------------------------------------------------------------------===//

#include "warpo/Counts/FlowCounts.h"
#include "FlowEquations.h"
#include "FlowPlaces.h"
#include "KnownFlow.h"
#include "RunDominators.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

/// One instruction of a body.
struct Step {
  uint8_t opcode;
  std::vector<uint32_t> labels = {};
  uint32_t offset = 0;
  /// Of what begins a block or a part of one: the step of the next part, or of its end.
  size_t next = 0;
};

bool beginsPart(uint8_t opcode) {
  return opcode == "else"_op || opcode == "catch"_op || opcode == "catch_all"_op;
}

class RandomBody {
public:
  explicit RandomBody(uint32_t seed) : random_(seed) {
    addBlock(/*depth=*/1, 24);
    add("end"_op);
    encode();
  }

  const std::vector<Step> &steps() const { return steps_; }
  wasm::ByteRange range() const { return {bytes_, 0}; }
  uint32_t below(uint32_t bound) {
    return std::uniform_int_distribution<uint32_t>(0, bound - 1)(random_);
  }

private:
  void add(uint8_t opcode, std::vector<uint32_t> labels = {}) {
    steps_.push_back({opcode, std::move(labels)});
  }
  // Code inside of `depth` labels.
  void addBlock(uint32_t depth, int budget);
  void addTry(uint32_t depth, int budget);
  std::vector<uint32_t> labels(uint32_t count, uint32_t depth) {
    std::vector<uint32_t> labels;
    while (count--)
      labels.push_back(below(depth));
    return labels;
  }
  void encode();

  std::mt19937 random_;
  std::vector<Step> steps_;
  std::vector<uint8_t> bytes_;
};

void RandomBody::addBlock(uint32_t depth, int budget) {
  for (uint32_t count = below(5) + 1; count && budget > 0; --count, budget -= 3) {
    switch (uint32_t kind = below(depth > 7 ? 8 : 16)) {
    case 0:
      add("nop"_op); // costs nothing
      break;
    case 1:
      add("drop"_op);
      break;
    case 2:
      add("br_if"_op, {below(depth)});
      break;
    case 3:
      add("br_table"_op, labels(below(4) + 1, depth));
      break;
    case 4:
      below(2) ? add("br"_op, {below(depth)}) : add(below(4) ? "return"_op : "unreachable"_op);
      break;
    case 5:
      add(below(4) ? "call"_op : "suspend"_op);
      break;
    case 6:
      below(2) ? add("throw"_op) : add("resume"_op, labels(below(3), depth));
      break;
    case 7:
      add("drop"_op);
      break;
    case 8:
      addTry(depth, budget / 2);
      break;
    default: {
      bool isIf = kind > 12;
      add(isIf ? "if"_op : kind > 10 ? "loop"_op : "block"_op);
      addBlock(depth + 1, budget / 2);
      if (isIf && below(2)) {
        add("else"_op);
        addBlock(depth + 1, budget / 2);
      }
      add("end"_op);
    }
    }
  }
}

void RandomBody::addTry(uint32_t depth, int budget) {
  bool isTable = below(2);
  add(isTable ? "try_table"_op : "try"_op,
      isTable ? labels(below(3), depth) : std::vector<uint32_t>());
  addBlock(depth + 1, budget);
  if (!isTable && !below(3))
    return add("delegate"_op, {below(depth)});
  for (uint32_t parts = isTable ? 0 : below(3); parts; --parts) {
    add(parts == 1 && below(2) ? "catch_all"_op : "catch"_op);
    addBlock(depth + 1, budget / 2);
  }
  add("end"_op);
}

void RandomBody::encode() {
  bytes_ = {0}; // no variables
  std::vector<size_t> open;
  for (size_t i = 0; i != steps_.size(); ++i) {
    Step &step = steps_[i];
    step.offset = uint32_t(bytes_.size());
    bytes_.push_back(step.opcode);
    switch (step.opcode) {
    case "try_table"_op:
      bytes_.insert(bytes_.end(), {wasm::emptyBlockType, uint8_t(step.labels.size())});
      for (uint32_t label : step.labels)
        bytes_.insert(bytes_.end(), {2, uint8_t(label)}); // catch_all
      open.push_back(i);
      break;
    case "block"_op:
    case "loop"_op:
    case "if"_op:
    case "try"_op:
      bytes_.push_back(wasm::emptyBlockType);
      open.push_back(i);
      break;
    case "else"_op:
    case "catch"_op:
    case "catch_all"_op:
      if (step.opcode == "catch"_op)
        bytes_.push_back(0);
      steps_[open.back()].next = i;
      open.back() = i;
      break;
    case "delegate"_op:
      bytes_.push_back(uint8_t(step.labels.front()));
      [[fallthrough]];
    case "end"_op:
      if (!open.empty()) {
        steps_[open.back()].next = i;
        open.pop_back();
      }
      break;
    case "call"_op:
    case "suspend"_op:
    case "throw"_op:
      bytes_.push_back(0);
      break;
    case "resume"_op:
      bytes_.insert(bytes_.end(), {0, uint8_t(step.labels.size())});
      for (uint32_t label : step.labels)
        bytes_.insert(bytes_.end(), {0, 0, uint8_t(label)});
      break;
    case "br_table"_op:
      bytes_.push_back(uint8_t(step.labels.size() - 1));
      [[fallthrough]];
    default:
      bytes_.insert(bytes_.end(), step.labels.begin(), step.labels.end());
    }
  }
}

/// How often the place in front of each step was passed, and each label of each branch taken; the
/// label behind the last is that of going on.
struct Passed {
  std::vector<uint64_t> steps;
  std::map<std::pair<size_t, uint32_t>, uint64_t> labels;

  void add(const Passed &other) {
    for (size_t i = 0; i != steps.size(); ++i)
      steps[i] += other.steps[i];
    for (const auto &[label, count] : other.labels)
      labels[label] += count;
  }
};

class Interpreter {
public:
  /// Leaves one in `seldom` plain instructions in the middle; 0: none.
  Interpreter(RandomBody &body, uint32_t seldom)
      : body_(body), steps_(body.steps()), seldom_(seldom) {}

  /// Whether the last call was left, and at which step.
  std::optional<size_t> left;

  /// One call; false if it takes too long.
  bool call(Passed &passed);

private:
  // Goes where a branch to the label goes.
  void branch(uint32_t label) {
    if (label >= open_.size()) {
      at_ = steps_.size();
      return;
    }
    open_.resize(open_.size() - label);
    size_t block = open_.back();
    at_ = block + 1;
    if (steps_[block].opcode == "loop"_op)
      return;
    open_.pop_back();
    at_ = endOf(block) + 1;
  }
  size_t endOf(size_t block) const {
    size_t end = steps_[block].next;
    while (beginsPart(steps_[end].opcode))
      end = steps_[end].next;
    return end;
  }
  // A block is known by the part that is executed: in a handler a `try` is none any more.
  bool isProtected() const {
    return llvm::any_of(open_, [&](size_t block) {
      return steps_[block].opcode == "try"_op || steps_[block].opcode == "try_table"_op;
    });
  }
  // Goes where an exception is caught; false if that is not in this function.
  bool unwind();
  // An exception arrives from a call, unless nothing says how often.
  bool mayThrow() { return isProtected() && !body_.below(3); }
  bool holds(size_t step, Passed &passed) {
    uint32_t choice = body_.below(2);
    ++passed.labels[{step, choice}];
    return choice == 0;
  }
  void choose(size_t step, uint32_t choice, Passed &passed) {
    ++passed.labels[{step, choice}];
    if (choice < steps_[step].labels.size())
      branch(steps_[step].labels[choice]);
  }

  RandomBody &body_;
  const std::vector<Step> &steps_;
  uint32_t seldom_;
  SmallVector<size_t> open_;
  size_t at_ = 0;
};

bool Interpreter::unwind() {
  while (!open_.empty()) {
    const Step &block = steps_[open_.pop_back_val()];
    if (block.opcode == "try_table"_op && !block.labels.empty() && body_.below(2)) {
      branch(block.labels[body_.below(uint32_t(block.labels.size()))]);
      return true;
    }
    if (block.opcode != "try"_op)
      continue;
    if (const Step &end = steps_[block.next]; end.opcode == "delegate"_op) {
      if (end.labels.front() >= open_.size())
        return false;
      open_.resize(open_.size() - end.labels.front());
      continue;
    }
    for (size_t part = block.next; beginsPart(steps_[part].opcode); part = steps_[part].next)
      if (steps_[part].opcode == "catch_all"_op || body_.below(2)) {
        open_.push_back(part);
        at_ = part + 1;
        return true;
      }
  }
  return false;
}

bool Interpreter::call(Passed &passed) {
  passed.steps.assign(steps_.size(), 0);
  open_.clear();
  at_ = 0;
  for (int fuel = 2000; at_ < steps_.size(); --fuel) {
    if (!fuel)
      return false;
    size_t here = at_++;
    ++passed.steps[here];
    const Step &step = steps_[here];
    switch (step.opcode) {
    case "block"_op:
    case "loop"_op:
    case "try"_op:
    case "try_table"_op:
      open_.push_back(here);
      break;
    case "if"_op:
      open_.push_back(here);
      if (holds(here, passed))
        break;
      at_ = step.next + 1;
      if (steps_[step.next].opcode == "end"_op)
        open_.pop_back();
      break;
    case "else"_op:
    case "catch"_op:
    case "catch_all"_op:
      at_ = endOf(here) + 1; // behind the `end`, which is not passed
      open_.pop_back();
      break;
    case "throw"_op:
      if (!unwind())
        return true;
      break;
    case "call"_op:
    case "suspend"_op:
      if (mayThrow() && !unwind())
        return true;
      break;
    case "resume"_op:
      if (!mayThrow())
        choose(here, body_.below(uint32_t(step.labels.size()) + 1), passed);
      else if (!unwind())
        return true;
      break;
    case "delegate"_op:
    case "end"_op:
      if (!open_.empty())
        open_.pop_back();
      break;
    case "br"_op:
      branch(step.labels[0]);
      break;
    case "br_if"_op:
      choose(here, body_.below(3) != 0, passed);
      break;
    case "br_table"_op:
      choose(here, body_.below(uint32_t(step.labels.size())), passed);
      break;
    case "return"_op:
    case "unreachable"_op:
      return true;
    case "drop"_op:
      if (seldom_ && body_.below(seldom_) == 0) {
        left = here;
        return true;
      }
      break;
    default:
      break;
    }
  }
  return true;
}

/// Random code, executed some times.
struct Execution {
  explicit Execution(uint32_t seed, uint32_t leftSeldom = 0) : body(seed) {
    truth.steps.assign(body.steps().size(), 0);
    for (int i = 0; i != 20; ++i) {
      Passed passed;
      Interpreter interpreter(body, leftSeldom);
      if (!interpreter.call(passed))
        continue;
      truth.add(passed);
      if (interpreter.left)
        ++leftAt[body.steps()[*interpreter.left].offset];
    }
    for (size_t i = 0; i != body.steps().size(); ++i)
      stepAt[body.steps()[i].offset] = i;
  }

  uint64_t passed(uint32_t offset) const { return truth.steps[stepAt.at(offset)]; }
  /// How often a branch went the way of an arm.
  uint64_t taken(const FlowBranch &branch, uint32_t arm) const {
    uint64_t sum = 0;
    for (uint32_t label = 0; label != 64; ++label) {
      auto found = truth.labels.find({stepAt.at(branch.offset), label});
      bool isOfArm = branch.isTable()
                         ? label < branch.armOfLabel.size() && branch.armOfLabel[label] == arm
                         : label == arm;
      if (isOfArm && found != truth.labels.end())
        sum += found->second;
    }
    return sum;
  }
  uint64_t valueOf(const FlowGraph &graph, const PlannedCounter &counter) const {
    return counter.countsRun() ? passed(counter.offset)
                               : taken(graph.branches[counter.subject], counter.arm);
  }

  RandomBody body;
  Passed truth;
  std::map<uint32_t, size_t> stepAt;
  /// By offset, how many calls were left there.
  std::map<uint32_t, uint64_t> leftAt;
};

class FlowCountsTest : public testing::TestWithParam<CounterChoice> {};

} // namespace

// Returns how many arms there are.
static uint64_t expectTruth(const Execution &execution, const FlowGraph &graph,
                            const FlowCounts &counts) {
  EXPECT_EQ(counts.negative, 0u);
  for (uint32_t run = 0; run != graph.runs.size(); ++run)
    if (!isFree(graph, run) || counts.runs[run] != FlowCounts::unknown) {
      EXPECT_EQ(counts.runs[run], execution.passed(graph.runs[run].begin)) << "run " << run;
    }
  uint64_t arms = 0;
  for (const FlowBranch &branch : graph.branches)
    for (uint32_t arm = 0; arm != branch.arms.size(); ++arm, ++arms)
      EXPECT_EQ(counts.edges[branch.arms[arm]], execution.taken(branch, arm))
          << "the arm " << arm << " of the branch at " << branch.offset;
  return arms;
}

static std::vector<uint64_t> valuesOf(const Execution &execution, const FlowGraph &graph,
                                      ArrayRef<PlannedCounter> plan) {
  std::vector<uint64_t> values;
  for (const PlannedCounter &counter : plan)
    values.push_back(execution.valueOf(graph, counter));
  return values;
}

TEST_P(FlowCountsTest, CountersSayHowOftenEveryRunAndArmWasExecuted) {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs, GetParam() == CounterChoice::all);
  uint64_t counted = 0, runs = 0, arms = 0;
  for (uint32_t seed = 0; seed != 3000; ++seed) {
    SCOPED_TRACE(seed);
    Execution execution(seed);
    const FlowGraph &graph = cantFail(finder.find(execution.body.range(), "body"));
    std::vector<PlannedCounter> plan = planCounters(graph, GetParam());
    FlowCounts counts = solveCounts(graph, plan, valuesOf(execution, graph, plan));
    arms += expectTruth(execution, graph, counts);
    ASSERT_FALSE(HasFailure());
    counted += uint64_t(llvm::count_if(plan, [&](const PlannedCounter &counter) {
      return counter.countsRun() && !isFree(graph, counter.subject);
    }));
    runs += uint64_t(llvm::count_if(graph.runs, [](const FlowRun &run) { return run.cost; }));
  }
  EXPECT_GT(arms, 5000u);
  if (GetParam() == CounterChoice::tree) {
    EXPECT_LT(counted, runs * 3 / 4); // tables and free runs aside; real code has few handlers
  }
}

TEST_P(FlowCountsTest, CallsLeftInTheMiddleDoNoHarmWhereTheirPlacesAreKnown) {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs, GetParam() == CounterChoice::all);
  uint64_t left = 0;
  for (uint32_t seed = 0; seed != 3000; ++seed) {
    SCOPED_TRACE(seed);
    Execution execution(seed, 20);
    const FlowGraph &whole = cantFail(finder.find(execution.body.range(), "body"));
    std::vector<PlannedCounter> plan = planCounters(whole, GetParam());
    std::vector<uint64_t> values = valuesOf(execution, whole, plan);
    std::vector<uint32_t> offsets;
    for (auto [offset, calls] : execution.leftAt)
      offsets.push_back(offset);
    const FlowGraph &graph = cantFail(finder.find(execution.body.range(), "body", offsets));
    EXPECT_TRUE(graph.misplaced.empty());
    std::vector<uint64_t> calls;
    for (const LeftAt &each : graph.left)
      calls.push_back(execution.leftAt.at(each.offset));
    EXPECT_EQ(calls.size(), offsets.size());
    expectTruth(execution, graph, solveCounts(graph, plan, values, calls));
    ASSERT_FALSE(HasFailure());
    left += offsets.size();
  }
  EXPECT_GT(left, 500u);
}

// Kept arms are counted or follow from the other places.
static bool keepsArms(CounterChoice choice) { return choice == CounterChoice::tree; }

static void knowCounted(const FlowGraph &graph, CounterChoice choice, FlowEquations &flow) {
  setEquationsOfEdges(graph, flow);
  for (uint32_t run = 0; run != graph.runs.size(); ++run)
    if (!isFree(graph, run))
      flow.know(run, 0);
  for (const FlowBranch &branch : graph.branches)
    if (branch.takesNoValues && keepsArms(choice))
      for (uint32_t arm : branch.arms)
        flow.know(edgeVariable(graph, arm), 0);
}

// A plan does not look for edges that do not follow where the edges form a forest.
TEST_P(FlowCountsTest, EdgesFollowIfTheyFormAForest) {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs, GetParam() == CounterChoice::all);
  uint64_t forests = 0, others = 0;
  for (uint32_t seed = 0; seed != 3000; ++seed) {
    SCOPED_TRACE(seed);
    RandomBody body(seed);
    const FlowGraph &graph = cantFail(finder.find(body.range(), "body"));
    FlowEquations flow;
    knowCounted(graph, GetParam(), flow);
    bool follow = true;
    for (uint32_t variable = 0; variable != graph.runs.size() + graph.edges.size(); ++variable)
      follow &= flow.isKnown(variable);
    FlowPlaces places;
    places.find(graph, keepsArms(GetParam()));
    ASSERT_EQ(places.edgesFollow(), follow);
    ++(follow ? forests : others);
  }
  EXPECT_GT(forests, 500u);
  EXPECT_GT(others, 500u);
}

// Elsewhere it finds those that the equations do not determine.
TEST_P(FlowCountsTest, KnownFlowIsThatOfTheEquations) {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs, GetParam() == CounterChoice::all);
  KnownFlow known;
  uint64_t open = 0;
  for (uint32_t seed = 0; seed != 3000; ++seed) {
    SCOPED_TRACE(seed);
    RandomBody body(seed);
    const FlowGraph &graph = cantFail(finder.find(body.range(), "body"));
    FlowEquations flow;
    knowCounted(graph, GetParam(), flow);
    known.find(graph, keepsArms(GetParam()));
    auto expectSame = [&] {
      for (uint32_t run = 0; run != graph.runs.size(); ++run)
        ASSERT_EQ(known.isRunKnown(run), flow.isKnown(run)) << run;
      for (uint32_t edge = 0; edge != graph.edges.size(); ++edge)
        ASSERT_EQ(known.isEdgeKnown(edge), flow.isKnown(edgeVariable(graph, edge))) << edge;
    };
    expectSame();
    // One that does not follow says more.
    for (uint32_t run = 0; run != graph.runs.size(); ++run)
      if (!known.isRunKnown(run)) {
        ++open;
        known.knowRun(run);
        flow.know(run, 0);
        expectSame();
      }
    for (uint32_t edge = 0; edge != graph.edges.size(); ++edge)
      if (!known.isEdgeKnown(edge)) {
        ++open;
        known.knowEdge(edge);
        flow.know(edgeVariable(graph, edge), 0);
        expectSame();
      }
  }
  EXPECT_GT(open, 500u);
}

// Whether a run can be reached without passing another one, and without going back.
static bool isReachedWithout(const FlowGraph &graph, uint32_t passed, uint32_t run) {
  std::vector<bool> isReached(graph.runs.size());
  isReached[0] = passed != 0;
  uint32_t current = 0;
  for (const FlowEdge &edge : graph.edges) {
    uint32_t from = edge.from == FlowEdge::outside ? 0 : edge.from;
    current = std::max(current, from);
    bool isBack = edge.to <= current;
    if (edge.to != FlowEdge::outside && edge.to != passed && !isBack && isReached[from])
      isReached[edge.to] = true;
  }
  return isReached[run];
}

TEST(RunDominatorsTest, EachRunIsBelowTheLastThatAllWaysPass) {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs);
  RunDominators dominators;
  uint64_t nested = 0;
  for (uint32_t seed = 0; seed != 3000; ++seed) {
    SCOPED_TRACE(seed);
    RandomBody body(seed);
    const FlowGraph &graph = cantFail(finder.find(body.range(), "body"));
    dominators.find(graph);
    for (uint32_t run = 1; run != graph.runs.size(); ++run) {
      uint32_t above = run - 1;
      while (isReachedWithout(graph, above, run))
        --above;
      ASSERT_EQ(dominators.above(run), above) << run;
      nested += above != 0;
    }
  }
  EXPECT_GT(nested, 5000u);
}

TEST(FlowGraphTest, SaysWhatIsNoPlaceToLeaveAt) {
  // No variables; block, i32.const 1, drop, return, drop, end, end.
  const uint8_t body[] = {0, 0x02, 0x40, 0x41, 1, 0x1a, 0x0f, 0x1a, 0x0b, 0x0b};
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs);
  const FlowGraph &graph = cantFail(finder.find({body, 0}, "body", {0, 4, 5, 6, 7, 20}));
  ASSERT_EQ(graph.left.size(), 1u);
  EXPECT_EQ(graph.left[0].offset, 5u);
  EXPECT_EQ(graph.misplaced, (std::vector<uint32_t>{4, 7, 20}));
}

static std::vector<uint32_t> plannedOffsets(ArrayRef<uint8_t> code) {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs);
  const FlowGraph &graph = cantFail(finder.find({code, 0}, "code"));
  std::vector<uint32_t> offsets;
  for (const PlannedCounter &counter : planCounters(graph, CounterChoice::tree))
    offsets.push_back(counter.offset);
  return offsets;
}

// Both arms of an `if`, whose sum is the entry, rather than the entry and one of them.
TEST(CounterPlanTest, PlacesThatAreExecutedLessGetTheCounters) {
  const uint8_t code[] = {0,         "local.get"_op, 0, "if"_op,  0x40,      "nop"_op, "call"_op, 0,
                          "else"_op, "call"_op,      0, "end"_op, "call"_op, 0,        "end"_op};
  EXPECT_EQ(plannedOffsets(code), (std::vector<uint32_t>{5, 9}));
}

// The way to a trap rather than what is behind it.
TEST(CounterPlanTest, CodeThatTrapsIsTakenForRare) {
  const uint8_t code[] = {
      0,        "loop"_op,        0x40,      "local.get"_op, 0, "if"_op,  0x40,    "call"_op,
      0,        "unreachable"_op, "else"_op, "call"_op,      0, "end"_op, "br"_op, 0,
      "end"_op, "end"_op};
  EXPECT_EQ(plannedOffsets(code), (std::vector<uint32_t>{7, 11}));
}

// An interpreter: the dispatch is executed most, and one arm of its table leads straight back to
// it.
TEST(CounterPlanTest, DispatchIsNotCountedWhereAnArmLeadsBack) {
  const uint8_t code[] = {
      0,        "loop"_op,     0x40, "block"_op, 0x40,      "block"_op, 0x40,     "call"_op,
      0,        "br_table"_op, 2,    0,          1,         2,          "end"_op, "call"_op,
      0,        "br"_op,       1,    "end"_op,   "call"_op, 0,          "br"_op,  0,
      "end"_op, "end"_op};
  EXPECT_EQ(plannedOffsets(code), (std::vector<uint32_t>{9, 15, 20}));
}

INSTANTIATE_TEST_SUITE_P(Choices, FlowCountsTest,
                         testing::Values(CounterChoice::tree, CounterChoice::all));
