//===- FlowCountsTest.cpp - Few counters tell how often everything ran ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Against an interpreter that knows nothing of runs: random code is executed with random
// decisions, and how often each place in front of an instruction was passed is counted. The
// counters of a plan are the numbers at its places; what follows from them has to be all others.
//
//===----------------------------------------------------------------------===//

#include "warpo/Counts/FlowCounts.h"
#include "RandomBody.h"
#include "gtest/gtest.h"
#include <map>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

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

INSTANTIATE_TEST_SUITE_P(Choices, FlowCountsTest,
                         testing::Values(CounterChoice::tree, CounterChoice::all));
