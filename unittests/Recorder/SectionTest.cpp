// SPDX-License-Identifier: Apache-2.0
// Sections: what they become in the record, and what becomes of those that do not fit together.
#include "warpo/Recorder/section.h"
#include "RecordFile.h"
#include "WarpoRecord.h"

#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace warpo;

namespace {

constexpr int32_t f = 0x1000000, g = 0x1000001;
constexpr uint64_t module = 7;

std::string nameOf(const WarpoRecord &record, uint64_t moduleId, int32_t id) {
  for (const RecordedModule &known : record.header.modules)
    for (const RecordedModule::Function &function : known.functions)
      if (known.id == moduleId && function.id == id)
        return std::string(known.nameOf(function));
  return id == f ? "f" : id == g ? "g" : std::to_string(id);
}

// As in `+f +load -load -f`.
std::string eventsOf(const WarpoRecord &record, size_t stream = 0) {
  std::string text;
  for (int32_t id : record.streams.at(stream).ids)
    text += (text.empty() ? "" : " ") + std::string(id > 0 ? "+" : "-") +
            nameOf(record, record.streams[stream].module, std::abs(id));
  return text;
}

class Sections : public testing::Test {
protected:
  void open(warpo_recorder_policy policy = WARPO_POLICY_BLOCK) {
    warpo_recorder_options options = warpoOptions(file_, policy);
    recorder_ = warpo_recorder_open(&options);
    stream_ = warpo_event_stream_open(recorder_, module);
  }
  void call(int32_t id) { warpo_trace_event(stream_, id); }
  void begin(const char *name) { warpo_section_begin(stream_, name, strlen(name), 0); }
  void begin(const std::string &name) { warpo_section_begin(stream_, name.data(), name.size(), 0); }
  void end() { warpo_section_end(stream_, 0); }
  WarpoRecord finish() {
    warpo_event_stream_close(stream_);
    warpo_recorder_close(recorder_);
    EXPECT_STREQ(warpo_recorder_error_text(recorder_), "");
    counts_ = warpo_recorder_get_section_counts(recorder_);
    warpo_recorder_free(recorder_);
    WarpoRecord record = readWarpo(file_);
    EXPECT_EQ(record.error, "");
    EXPECT_EQ(record.damaged, 0u);
    return record;
  }

  TemporaryFolder folder_;
  std::string file_ = folder_.file("a.warpo");
  warpo_recorder *recorder_ = nullptr;
  warpo_event_stream *stream_ = nullptr;
  warpo_section_counts counts_ = {};
};

TEST_F(Sections, AreCallsBelowTheirFunction) {
  for (warpo_recorder_policy policy : {WARPO_POLICY_BLOCK, WARPO_POLICY_DROP, WARPO_POLICY_RING}) {
    open(policy);
    call(f);
    begin("load");
    begin("parse");
    call(g);
    call(-g);
    end();
    end();
    begin("load");
    end();
    call(-f);
    EXPECT_EQ(eventsOf(finish()), "+f +load +parse +g -g -parse -load +load -load -f") << policy;
    EXPECT_EQ(counts_.ends_without_begin + counts_.never_ended, 0u);
  }
}

TEST_F(Sections, NeedNoFunctions) {
  open();
  begin("a");
  begin("b");
  end();
  end();
  EXPECT_EQ(eventsOf(finish()), "+a +b -b -a");
}

TEST_F(Sections, OneThatIsNotEndedEndsWithItsFunction) {
  open();
  call(f);
  begin("outer");
  call(g);
  begin("a");
  begin("b");
  call(-g);
  // Nothing of g's is left to end.
  end();
  call(-f);
  // What readers make of it: -g ends what lies above it.
  EXPECT_EQ(eventsOf(finish()), "+f +outer +g +a +b -g -outer -f");
  EXPECT_EQ(counts_.never_ended, 2u);
  EXPECT_EQ(counts_.ends_without_begin, 0u);
}

TEST_F(Sections, AFunctionMayLeaveAnyNumberOpen) {
  open();
  call(f);
  std::string begins;
  for (int i = 0; i < 1000; ++i) {
    begin("a");
    begins += " +a";
  }
  call(-f);
  end();
  EXPECT_EQ(eventsOf(finish()), "+f" + begins + " -f");
  EXPECT_EQ(counts_.never_ended, 1000u);
  EXPECT_EQ(counts_.ends_without_begin, 1u);
}

TEST_F(Sections, AnEndBelongsToTheFunctionThatBegan) {
  open();
  end();
  call(f);
  begin("a");
  call(g);
  end();
  call(-g);
  end();
  end();
  call(-f);
  end();
  EXPECT_EQ(eventsOf(finish()), "+f +a +g -g -a -f");
  EXPECT_EQ(counts_.ends_without_begin, 4u);
  EXPECT_EQ(counts_.never_ended, 0u);
}

TEST_F(Sections, OneThatIsOpenInTheEndIsCounted) {
  open();
  call(f);
  begin("a");
  EXPECT_EQ(eventsOf(finish()), "+f +a");
  EXPECT_EQ(counts_.never_ended, 1u);
}

TEST_F(Sections, NamesBecomeFitForARecord) {
  struct {
    std::string name, kept;
    uint64_t warpo_section_counts::*counted;
  } cases[] = {
      {"\xe2\x82\xac", "\xe2\x82\xac", nullptr},
      {std::string("a\0b", 3), std::string("a\0b", 3), nullptr},
      {"", "(unnamed section)", nullptr},
      {"a\xff", "a\xef\xbf\xbd", &warpo_section_counts::not_utf8},
      // As TextDecoder has it: one for what could have begun a character, one for each other byte.
      {"\xf0\x9f\x98!", "\xef\xbf\xbd!", &warpo_section_counts::not_utf8},
      {"\xe2\x82", "\xef\xbf\xbd", &warpo_section_counts::not_utf8},
      {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", &warpo_section_counts::not_utf8},
      {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd", &warpo_section_counts::not_utf8},
      {std::string(1024, 'x'), std::string(1024, 'x'), nullptr},
      {std::string(5000, 'x'), std::string(1024, 'x'), &warpo_section_counts::too_long},
      {std::string(1022, 'x') + "\xe2\x82\xac", std::string(1022, 'x'),
       &warpo_section_counts::too_long},
      {std::string(4096, '\x80'),
       [] {
         std::string marks;
         for (int i = 0; i < 1021; ++i)
           marks += "\xef\xbf\xbd";
         return marks;
       }(),
       &warpo_section_counts::too_long},
  };
  for (const auto &[name, kept, counted] : cases) {
    open();
    begin(name);
    end();
    WarpoRecord record = finish();
    EXPECT_EQ(eventsOf(record), "+" + kept + " -" + kept);
    EXPECT_EQ(counts_.not_utf8 + counts_.too_long > 0, counted != nullptr) << name;
    if (counted) {
      EXPECT_EQ(counts_.*counted, 1u) << name;
    }
  }
}

TEST_F(Sections, ANameOutsideOfTheMemory) {
  open();
  warpo_section_begin(stream_, nullptr, 1u << 31, 0);
  end();
  EXPECT_EQ(eventsOf(finish()), "+(name out of bounds) -(name out of bounds)");
  EXPECT_EQ(counts_.out_of_bounds, 1u);
}

TEST_F(Sections, FurtherNamesShareOne) {
  open();
  for (int i = 0; i < 65010; ++i) {
    begin("section " + std::to_string(i));
    end();
  }
  WarpoRecord record = finish();
  ASSERT_EQ(record.streams.at(0).ids.size(), 2 * 65010u);
  EXPECT_EQ(nameOf(record, module, record.streams[0].ids[2 * 64999]), "section 64999");
  EXPECT_EQ(nameOf(record, module, record.streams[0].ids[2 * 65000]), "(further sections)");
  EXPECT_EQ(nameOf(record, module, record.streams[0].ids.back() * -1), "(further sections)");
  EXPECT_EQ(counts_.too_many, 10u);
}

TEST_F(Sections, HaveFuel) {
  for (warpo_recorder_clock clock : {WARPO_CLOCK_COUNTER, WARPO_CLOCK_FUEL}) {
    warpo_recorder_options options = warpoOptions(file_);
    options.clock = clock;
    recorder_ = warpo_recorder_open(&options);
    stream_ = clock == WARPO_CLOCK_FUEL ? warpo_event_stream_open(recorder_, module)
                                        : warpo_event_stream_open_fuel(recorder_, module);
    warpo_section_begin(stream_, "a", 1, 10);
    warpo_section_end(stream_, 25);
    WarpoRecord record = finish();
    EXPECT_EQ(eventsOf(record), "+a -a");
    const WarpoRecord::Stream &stream = record.streams.at(0);
    EXPECT_EQ(clock == WARPO_CLOCK_FUEL ? stream.times : stream.fuel,
              (std::vector<uint64_t>{10, 25}));
  }
}

TEST_F(Sections, ThreadsAndModulesShareNames) {
  warpo_recorder_options options = warpoOptions(file_);
  recorder_ = warpo_recorder_open(&options);
  std::vector<std::thread> threads;
  for (uint64_t id : {7, 7, 7, 8})
    threads.emplace_back([this, id] {
      warpo_event_stream *stream = warpo_event_stream_open(recorder_, id);
      for (int i = 0; i < 2000; ++i) {
        std::string name = std::to_string(i % 100);
        warpo_section_begin(stream, name.data(), name.size(), 0);
        warpo_section_end(stream, 0);
      }
      warpo_event_stream_close(stream);
    });
  for (std::thread &thread : threads)
    thread.join();
  WarpoRecord record = finish();
  EXPECT_EQ(record.events(), 4u * 4000);
  for (const RecordedModule &known : record.header.modules)
    EXPECT_EQ(known.functions.size(), 100u);
  for (const WarpoRecord::Stream &stream : record.streams)
    for (size_t i = 0; i < stream.ids.size() && !HasFailure(); i += 2)
      EXPECT_EQ(nameOf(record, stream.module, stream.ids[i]), std::to_string(i / 2 % 100));
}

TEST_F(Sections, TheFormatWarpHasNone) {
  warpo_recorder_options options = warpoOptions(file_);
  options.format = WARPO_FORMAT_WARP;
  recorder_ = warpo_recorder_open(&options);
  stream_ = warpo_event_stream_open(recorder_, module);
  begin("a");
  end();
  EXPECT_EQ(warpo_section_id(recorder_, module, "a", 1), 0);
  warpo_event_stream_close(stream_);
  warpo_recorder_close(recorder_);
  EXPECT_EQ(warpo_recorder_get_counts(recorder_).written, 0u);
  warpo_recorder_free(recorder_);
}

TEST_F(Sections, AreThereAfterAKill) {
  pid_t child = fork();
  if (child == 0) {
    warpo_recorder_options options = warpoOptions(file_);
    options.crash_safe = 1;
    recorder_ = warpo_recorder_open(&options);
    stream_ = warpo_event_stream_open(recorder_, module);
    call(f);
    begin("a");
    end();
    begin("b");
    raise(SIGKILL);
  }
  int status;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(warpo_recorder_recover(file_.c_str(), nullptr), 0);
  EXPECT_EQ(eventsOf(readWarpo(file_)), "+f +a -a +b");
}

TEST_F(Sections, AChildOfAForkHasTheNames) {
  open();
  begin("a");
  end();
  pid_t child = fork();
  if (child == 0) {
    begin("a");
    begin("b");
    end();
    end();
    warpo_recorder_close(recorder_);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(eventsOf(readWarpo(file_ + "." + std::to_string(child))), "+a +b -b -a");
  EXPECT_EQ(eventsOf(finish()), "+a -a");
}

TEST_F(Sections, RecordingMayBeOff) {
  warpo_section_begin(nullptr, "a", 1, 0);
  warpo_section_end(nullptr, 0);
  EXPECT_EQ(warpo_section_id(nullptr, module, "a", 1), 0);
  EXPECT_EQ(warpo_recorder_get_section_counts(nullptr).never_ended, 0u);
}

} // namespace
