//===- FlowCountsTest.cpp - Few counters tell how often everything ran ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Against an interpreter that knows nothing of runs: random code is executed with random
// decisions, and how often each place in front of an instruction was passed is counted. The
// counters of a plan are the numbers at its places; what follows from them has to be all others.
//
//===----------------------------------------------------------------------===//

#include "warpo/Counts/FlowCounts.h"
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
  /// Of `block`, `loop`, `if` and `else`: the step of its `else` or `end`.
  size_t next = 0;
};

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
  void encode();

  std::mt19937 random_;
  std::vector<Step> steps_;
  std::vector<uint8_t> bytes_;
};

void RandomBody::addBlock(uint32_t depth, int budget) {
  for (uint32_t count = below(5) + 1; count && budget > 0; --count, budget -= 3) {
    switch (uint32_t kind = below(depth > 7 ? 5 : 12)) {
    case 0:
      add("nop"_op); // costs nothing
      break;
    case 1:
      add("drop"_op);
      break;
    case 2:
      add("br_if"_op, {below(depth)});
      break;
    case 3: {
      std::vector<uint32_t> labels;
      for (uint32_t i = below(4) + 1; i; --i)
        labels.push_back(below(depth));
      add("br_table"_op, labels);
      break;
    }
    case 4:
      below(2) ? add("br"_op, {below(depth)}) : add(below(4) ? "return"_op : "unreachable"_op);
      break;
    default: {
      bool isIf = kind > 8;
      add(isIf ? "if"_op : kind > 6 ? "loop"_op : "block"_op);
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

void RandomBody::encode() {
  bytes_ = {0}; // no variables
  std::vector<size_t> open;
  for (size_t i = 0; i != steps_.size(); ++i) {
    Step &step = steps_[i];
    step.offset = uint32_t(bytes_.size());
    bytes_.push_back(step.opcode);
    switch (step.opcode) {
    case "block"_op:
    case "loop"_op:
    case "if"_op:
      bytes_.push_back(wasm::emptyBlockType);
      open.push_back(i);
      break;
    case "else"_op:
      steps_[open.back()].next = i;
      open.back() = i;
      break;
    case "end"_op:
      if (!open.empty()) {
        steps_[open.back()].next = i;
        open.pop_back();
      }
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
  Interpreter(RandomBody &body) : body_(body), steps_(body.steps()) {}

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
    return steps_[end].opcode == "else"_op ? steps_[end].next : end;
  }
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
  std::vector<size_t> open_;
  size_t at_ = 0;
};

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
      at_ = step.next + 1; // behind the `end`, which is not passed
      open_.pop_back();
      break;
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
    default:
      break;
    }
  }
  return true;
}

/// Random code, executed some times.
struct Execution {
  explicit Execution(uint32_t seed) : body(seed) {
    truth.steps.assign(body.steps().size(), 0);
    for (int i = 0; i != 20; ++i) {
      Passed passed;
      if (Interpreter(body).call(passed))
        truth.add(passed);
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
};

class FlowCountsTest : public testing::TestWithParam<CounterChoice> {};

} // namespace

TEST_P(FlowCountsTest, CountersTellHowOftenEveryRunAndArmWasExecuted) {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs, GetParam() == CounterChoice::all);
  uint64_t counted = 0, runs = 0, arms = 0;
  for (uint32_t seed = 0; seed != 3000; ++seed) {
    SCOPED_TRACE(seed);
    Execution execution(seed);
    const FlowGraph &graph = cantFail(finder.find(execution.body.range(), "body"));
    std::vector<PlannedCounter> plan = planCounters(graph, GetParam());
    std::vector<uint64_t> values;
    for (const PlannedCounter &counter : plan)
      values.push_back(execution.valueOf(graph, counter));
    FlowCounts counts = solveCounts(graph, plan, values);
    EXPECT_EQ(counts.negative, 0u);
    for (uint32_t run = 0; run != graph.runs.size(); ++run)
      if (!isFree(graph, run) || counts.runs[run] != FlowCounts::unknown) {
        ASSERT_EQ(counts.runs[run], execution.passed(graph.runs[run].begin)) << "run " << run;
      }
    for (const FlowBranch &branch : graph.branches)
      for (uint32_t arm = 0; arm != branch.arms.size(); ++arm, ++arms)
        ASSERT_EQ(counts.edges[branch.arms[arm]], execution.taken(branch, arm))
            << "the arm " << arm << " of the branch at " << branch.offset;
    counted += uint64_t(llvm::count_if(plan, [&](const PlannedCounter &counter) {
      return counter.countsRun() && !isFree(graph, counter.subject);
    }));
    runs += uint64_t(llvm::count_if(graph.runs, [](const FlowRun &run) { return run.cost; }));
  }
  EXPECT_GT(arms, 5000u);
  if (GetParam() == CounterChoice::tree) {
    EXPECT_LT(counted, runs * 7 / 10); // tables and free runs, of which real code has few, aside
  }
}

INSTANTIATE_TEST_SUITE_P(Choices, FlowCountsTest,
                         testing::Values(CounterChoice::tree, CounterChoice::all));
