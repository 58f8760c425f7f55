// SPDX-License-Identifier: Apache-2.0
// Recording that is switched off and on: the record says so, and its calls nest as the program's
// do.
#include "RecordFile.h"
#include "WarpoRecord.h"
#include "warpo/Recorder/section.h"

#include <atomic>
#include <future>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace warpo;

namespace {

constexpr int32_t firstId = 0x1000000;
constexpr uint64_t module = 7;

class Pauses : public testing::Test {
protected:
  void open(warpo_recorder_policy policy = WARPO_POLICY_BLOCK, bool hasFuel = false) {
    warpo_recorder_options options = warpoOptions(file_, policy);
    recorder_ = warpo_recorder_open(&options);
    stream_ = hasFuel ? warpo_event_stream_open_fuel(recorder_, module)
                      : warpo_event_stream_open(recorder_, module);
  }
  /// `+a` and `-a` are a call of function a, `!` a trap, `off` and `on` switch.
  void run(const std::string &program) {
    std::istringstream words(program);
    for (std::string word; words >> word;)
      if (word == "off" || word == "on")
        EXPECT_EQ(warpo_recorder_set_enabled(recorder_, word == "on"), 0);
      else if (word == "!")
        warpo_trace_event(stream_, WARPO_TRAP_ID);
      else if (word == "begin")
        warpo_section_begin(stream_, "s", 1, 0);
      else if (word == "end")
        warpo_section_end(stream_, 0);
      else
        warpo_trace_event(stream_, (word[0] == '+' ? 1 : -1) * (firstId + word[1] - 'a'));
  }
  WarpoRecord finish() {
    warpo_event_stream_close(stream_);
    warpo_recorder_close(recorder_);
    EXPECT_STREQ(warpo_recorder_error_text(recorder_), "");
    counts_ = warpo_recorder_get_counts(recorder_);
    sections_ = warpo_recorder_get_section_counts(recorder_);
    warpo_recorder_free(recorder_);
    WarpoRecord record = readWarpo(file_);
    EXPECT_EQ(record.error, "");
    EXPECT_EQ(record.damaged, 0u);
    EXPECT_EQ(record.lost, lost_);
    return record;
  }
  static std::string nameOf(const WarpoRecord &record, int32_t id) {
    if (id == WARPO_TRAP_ID)
      return "!";
    if (!warpo_is_section(id))
      return std::string(1, char('a' + id - firstId));
    for (const RecordedModule::Function &function : record.header.modules.at(0).functions)
      if (function.id == id)
        return record.header.modules[0].nameOf(function).str();
    return "?";
  }
  static std::string eventsOf(const WarpoRecord &record) {
    std::string text;
    for (int32_t id : record.streams.at(0).ids)
      text += (text.empty() ? "" : " ") + std::string(id > 0 ? "+" : "-") +
              nameOf(record, std::abs(id));
    return text;
  }

  TemporaryFolder folder_;
  std::string file_ = folder_.file("a.warpo");
  warpo_recorder *recorder_ = nullptr;
  warpo_event_stream *stream_ = nullptr;
  warpo_recorder_counts counts_ = {};
  warpo_section_counts sections_ = {};
  std::map<LossCause, uint64_t> lost_; ///< that the record is to tell
};

} // namespace

TEST_F(Pauses, AreSectionsBehindWhichTheStackIsRight) {
  static const struct {
    const char *name, *program, *events;
    uint64_t passedOver;
  } cases[] = {
      {"nothing meanwhile", "+a off on -a", "+a +(recording off) -(recording off) -a", 0},
      {"calls that end meanwhile", "+a off +b +c -c -b on -a",
       "+a +(recording off) -(recording off) -a", 4},
      {"calls that go on", "+a off +b +c on -c -b -a",
       "+a +(recording off) -(recording off) +b +(recording off) -(recording off) +c "
       "+(recording off) -(recording off) -c -b -a",
       2},
      {"calls that were open", "+a +b off -b -a +c on -c",
       "+a +b +(recording off) -(recording off) -b +(recording off) -(recording off) -a "
       "+(recording off) -(recording off) +c +(recording off) -(recording off) -c",
       3},
      {"off from the beginning", "off +a +b on -b -a",
       "+(recording off) -(recording off) +a +(recording off) -(recording off) +b "
       "+(recording off) -(recording off) -b -a",
       2},
      {"off to the end", "+a off +b",
       "+a +(recording off) -(recording off) +b +(recording off) -(recording off)", 1},
      {"off to the end, with an end", "+a off -a",
       "+a +(recording off) -(recording off) -a +(recording off) -(recording off)", 1},
      {"twice", "off +a on +b off -b on -a",
       "+(recording off) -(recording off) +a +(recording off) -(recording off) +b "
       "+(recording off) -(recording off) -b +(recording off) -(recording off) -a",
       2},
      {"switched off twice", "+a off off +b on -b -a",
       "+a +(recording off) -(recording off) +b +(recording off) -(recording off) -b -a", 1},
      {"a call that an exception left", "+a off +b +c -b on -a",
       "+a +(recording off) -(recording off) -a", 3},
      {"a trap of an earlier call", "+a off +b ! -a +c on -c",
       "+a +(recording off) +! -a +(recording off) -(recording off) +c "
       "+(recording off) -(recording off) -c",
       4},
      {"a trap of a call that began meanwhile", "+a off +b +c ! -b on -a",
       "+a +(recording off) -(recording off) -a", 4},
      {"two traps: the outermost", "off +a +a +b ! ! -a +c on -c",
       "+(recording off) -(recording off) +c +(recording off) -(recording off) -c", 7},
      {"an end that matches nothing", "+a off +b -c on -b -a",
       "+a +(recording off) -(recording off) +b +(recording off) -(recording off) -c "
       "+(recording off) -(recording off) -b -a",
       2},
      {"sections", "+a begin off end begin on end -a",
       "+a +s +(recording off) -(recording off) -s +(recording off) -(recording off) +s "
       "+(recording off) -(recording off) -s -a",
       2},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    open();
    run(test.program);
    EXPECT_EQ(eventsOf(finish()), test.events);
    EXPECT_EQ(counts_.switched_off, test.passedOver);
    EXPECT_EQ(sections_.never_ended + sections_.ends_without_begin, 0u);
  }
}

// Whoever ends the record, it has what a pause that lasts to its end was short of, at that time.
TEST_F(Pauses, EndWithTheRecord) {
  for (warpo_recorder_policy policy : {WARPO_POLICY_BLOCK, WARPO_POLICY_RING})
    for (bool hasFuel : {false, true})
      for (const std::string who : {"stream", "recorder", "exit", "exit beside its thread"}) {
        SCOPED_TRACE(who + (hasFuel ? ", fuel" : "") + (policy ? ", ring" : ""));
        // What traces until the record ends; returns when that was, at the earliest.
        auto trace = [&] {
          open(policy, hasFuel);
          uint64_t fuel = 0;
          for (const char *word : {"+a", "off", "+b", "-b", "-a"})
            if (!hasFuel || word[0] == 'o')
              run(word);
            else
              warpo_trace_event_fuel(stream_, (word[0] == '+' ? 1 : -1) * (firstId + word[1] - 'a'),
                                     fuel += 10);
          return warpo_clock();
        };
        uint64_t end = 0;
        WarpoRecord record;
        if (who.starts_with("exit")) {
          pid_t child = fork();
          if (child == 0) {
            if (who == "exit") {
              trace();
            } else {
              std::promise<void> traced;
              std::thread([&] {
                trace();
                traced.set_value();
                pause();
              }).detach();
              traced.get_future().wait();
            }
            exit(0);
          }
          int status = -1;
          waitpid(child, &status, 0);
          EXPECT_EQ(status, 0);
          record = readWarpo(file_);
        } else {
          end = trace();
          if (who == "stream")
            warpo_event_stream_close(stream_);
          stream_ = nullptr;
          record = finish();
          EXPECT_EQ(counts_.switched_off, 3u);
        }
        EXPECT_EQ(eventsOf(record),
                  "+a +(recording off) -(recording off) -a +(recording off) -(recording off)");
        EXPECT_GE(record.streams[0].times.back(), end);
        std::vector<uint64_t> fuel;
        if (hasFuel)
          fuel = {10, 20, 40, 40, 40, 40};
        EXPECT_EQ(record.streams[0].fuel, fuel);
      }
}

// Any program that is switched at any moments: what was recorded while on is there, and all nests.
TEST_F(Pauses, NestWhateverHappens) {
  std::mt19937 random(1);
  for (int program = 0; program < 300; ++program) {
    SCOPED_TRACE(program);
    open(program % 3 == 0 ? WARPO_POLICY_RING : WARPO_POLICY_BLOCK, program % 2 == 0);
    std::vector<int32_t> open;
    std::vector<int32_t> seen;
    bool isOn = true;
    uint64_t fuel = 0;
    auto trace = [&](int32_t id) {
      if (isOn)
        seen.push_back(id);
      if (program % 2 == 0)
        warpo_trace_event_fuel(stream_, id, ++fuel);
      else
        warpo_trace_event(stream_, id);
    };
    for (int step = 0; step < 200; ++step)
      if (uint32_t dice = random() % 10; dice == 0)
        warpo_recorder_set_enabled(recorder_, isOn = !isOn);
      else if (dice < 6 || open.empty())
        trace(open.emplace_back(firstId + int32_t(random() % 4)));
      else
        trace(-open.back()), open.pop_back();
    warpo_recorder_set_enabled(recorder_, isOn = true);
    for (; !open.empty(); open.pop_back())
      trace(-open.back());
    WarpoRecord record = finish();
    size_t found = 0;
    std::vector<int32_t> stack;
    for (int32_t id : record.streams.at(0).ids) {
      if (found < seen.size() && seen[found] == id)
        ++found;
      if (id > 0) {
        stack.push_back(id);
        continue;
      }
      ASSERT_FALSE(stack.empty());
      ASSERT_EQ(stack.back(), -id);
      stack.pop_back();
    }
    EXPECT_TRUE(stack.empty());
    EXPECT_EQ(found, seen.size());
    EXPECT_TRUE(std::is_sorted(record.streams[0].fuel.begin(), record.streams[0].fuel.end()));
  }
}

// Another thread switches while this one records: no trace point is lost or torn.
TEST_F(Pauses, AnotherThreadSwitches) {
  open();
  std::atomic<bool> done = false;
  std::thread other([&] {
    for (int enabled = 0; !done; enabled = !enabled)
      warpo_recorder_set_enabled(recorder_, enabled);
    warpo_recorder_set_enabled(recorder_, 1);
  });
  uint64_t calls = 0;
  int changes = 0, wasOn = 1;
  for (; calls < 200000 || changes < 16; ++calls) {
    int isOn = warpo_recorder_is_enabled(recorder_);
    changes += isOn != wasOn;
    wasOn = isOn;
    if (calls % 256 == 0)
      std::this_thread::yield();
    warpo_trace_event(stream_, firstId);
    warpo_trace_event(stream_, -firstId);
  }
  done = true;
  other.join();
  warpo_trace_event(stream_, firstId + 1);
  warpo_trace_event(stream_, -firstId - 1);
  WarpoRecord record = finish();
  const auto &[number, thread, times, ids, counts, fuel, waits] = record.streams.at(0);
  int depth = 0;
  uint64_t pauses = 0, recorded = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    depth += ids[i] > 0 ? 1 : -1;
    ASSERT_GE(depth, 0) << "event " << i;
    bool isPause = warpo_is_section(std::abs(ids[i]));
    pauses += isPause && ids[i] > 0;
    // What is put when recording goes on has the time of the pause behind it, and was passed over.
    bool wasPut = i + 1 < ids.size() && warpo_is_section(ids[i + 1]) && times[i + 1] == times[i];
    recorded += !isPause && !wasPut;
  }
  EXPECT_EQ(depth, 0);
  EXPECT_GT(pauses, 0u);
  EXPECT_EQ(recorded + counts_.switched_off, 2 * calls + 2);
}

// What never ends takes no memory without bound.
TEST_F(Pauses, KeepSoManyCallsAndNoMore) {
  constexpr uint64_t most = 65536;
  for (const char *word : {"+b", "end"}) {
    SCOPED_TRACE(word);
    open();
    run("+a off");
    for (uint64_t i = 0; i < most + 100; ++i)
      run(word);
    run("on");
    lost_ = {{LossCause::writeFailed, 100}};
    finish();
    EXPECT_EQ(counts_.switched_off, most + 100);
    EXPECT_EQ(counts_.lost_to_failure, 100u);
  }
}

// A ring uses the streams again that were closed first.
TEST_F(Pauses, CountOnceInStreamsThatAreUsedAgain) {
  open(WARPO_POLICY_RING);
  warpo_recorder_set_enabled(recorder_, 0);
  constexpr uint64_t streams = 20;
  for (uint64_t i = 1; i < streams; ++i) {
    run("+a -a");
    warpo_event_stream_close(stream_);
    stream_ = warpo_event_stream_open(recorder_, module);
  }
  run("+a -a");
  lost_ = {{LossCause::unknown, 8}};
  finish();
  EXPECT_EQ(counts_.switched_off, 2 * streams);
}

TEST_F(Pauses, BeginWithTheRecord) {
  warpo_recorder_options options = warpoOptions(file_);
  options.starts_off = 1;
  recorder_ = warpo_recorder_open(&options);
  EXPECT_FALSE(warpo_recorder_is_enabled(recorder_));
  stream_ = warpo_event_stream_open(recorder_, module);
  run("+a -a on +a -a");
  EXPECT_EQ(eventsOf(finish()), "+(recording off) -(recording off) +a -a");
  EXPECT_EQ(counts_.switched_off, 2u);
}

TEST_F(Pauses, WarpHasNoPlaceForThem) {
  warpo_recorder_options options = warpoOptions(file_);
  options.format = WARPO_FORMAT_WARP;
  recorder_ = warpo_recorder_open(&options);
  EXPECT_EQ(warpo_recorder_set_enabled(recorder_, 0), ENOTSUP);
  EXPECT_TRUE(warpo_recorder_is_enabled(recorder_));
  warpo_recorder_free(recorder_);
  options.starts_off = 1;
  recorder_ = warpo_recorder_open(&options);
  EXPECT_STREQ(warpo_recorder_error_text(recorder_),
               "record: the format warp has no place to say that recording is switched off: "
               "Invalid argument");
  warpo_recorder_free(recorder_);
  EXPECT_EQ(warpo_recorder_set_enabled(nullptr, 0), 0);
  EXPECT_FALSE(warpo_recorder_is_enabled(nullptr));
}
