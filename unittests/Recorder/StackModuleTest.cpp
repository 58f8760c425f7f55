//===- StackModuleTest.cpp - Several modules on one stream ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RecordFile.h"
#include "WarpoRecord.h"
#include "warpo/Recorder/stack_module.h"
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr int32_t first = 0x1000000;

void addModule(warpo_recorder *recorder, uint64_t id, int32_t functions, bool hasMarks = false) {
  std::vector<warpo_function_name> names;
  for (int32_t i = 0; i < functions; ++i)
    names.push_back({first + i, "f"});
  warpo_module_info info = {};
  info.id = id;
  info.functions = names.data();
  info.function_count = names.size();
  ASSERT_EQ(warpo_recorder_add_module(recorder, &info), 0);
  if (hasMarks) {
    ASSERT_EQ(warpo_recorder_expect_marks(recorder, id), 0);
  }
}

/// `300:+0 301:+1`: module and function of each entry of a record's only stream.
std::string callsOf(const WarpoRecord &record) {
  std::string text = record.error;
  if (record.streams.size() != 1)
    return text + std::to_string(record.streams.size()) + " streams";
  for (int32_t id : record.streams[0].ids) {
    warpo::FunctionRef function = record.header.streams[0].functionOf(std::abs(id));
    text += (text.empty() ? "" : " ") + std::to_string(function.moduleId) + ':' +
            (id > 0 ? '+' : '-') + std::to_string(function.id - first);
  }
  return text;
}

/// Module 300 calls 301, that calls 300, and that 302.
void recordCallsOfThree(warpo_recorder *recorder) {
  warpo_event_stream *stream = warpo_event_stream_open(recorder, 300);
  warpo_stack_module *app = warpo_event_stream_join(stream, 300);
  warpo_stack_module *lib = warpo_event_stream_join(stream, 301);
  warpo_trace_stack_event(app, first);
  warpo_trace_stack_event(lib, first + 1);
  warpo_trace_stack_event(app, first + 1);
  warpo_stack_module *late = warpo_event_stream_join(stream, 302);
  warpo_stack_module *again = warpo_event_stream_join(stream, 302);
  warpo_trace_stack_event(late, first);
  warpo_trace_stack_event(again, -first);
  warpo_trace_stack_event(app, -first - 1);
  warpo_trace_stack_event(lib, -first - 1);
  warpo_trace_stack_event(app, -first);
  warpo_event_stream_close(stream);
}
const char *const callsOfThree = "300:+0 301:+1 300:+1 302:+0 302:-0 300:-1 301:-1 300:-0";

TEST(StackModules, NestInOneStream) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  addModule(recorder, 300, 2);
  addModule(recorder, 301, 5);
  recordCallsOfThree(recorder);
  warpo_recorder_close(recorder);
  EXPECT_STREQ(warpo_recorder_error_text(recorder), "");
  warpo_recorder_free(recorder);
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(callsOf(record), callsOfThree);
  EXPECT_TRUE(record.isClosed);
  EXPECT_EQ(record.damaged, 0u);
  EXPECT_TRUE(record.lost.empty());
  // As low as can be: behind the functions that are known.
  EXPECT_EQ(record.streams[0].ids[1], first + 2 + 1);
  EXPECT_EQ(record.streams[0].ids[3], first + 2 + 5);
}

TEST(StackModules, AreReportedThroughAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::string bytes;
  std::thread reader([&] {
    char buffer[4096];
    for (ssize_t size; (size = read(ends[0], buffer, sizeof(buffer))) > 0;)
      bytes.append(buffer, size_t(size));
  });
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  options.fd = ends[1];
  warpo_recorder *recorder = warpo_recorder_open(&options);
  addModule(recorder, 300, 2);
  recordCallsOfThree(recorder);
  warpo_recorder_free(recorder);
  close(ends[1]);
  reader.join();
  close(ends[0]);
  EXPECT_EQ(bytes[6], 1);
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  std::ofstream(file, std::ios::binary) << bytes;
  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(callsOf(record), callsOfThree);
  EXPECT_EQ(record.damaged, 0u);
}

TEST(StackModules, AreInTheDumpOfARing) {
  for (int crashSafe : {0, 1}) {
    TemporaryFolder folder;
    std::string file = folder.file("a.warpo");
    warpo_recorder_options options = warpoOptions(file, WARPO_POLICY_RING);
    options.crash_safe = crashSafe;
    warpo_recorder *recorder = warpo_recorder_open(&options);
    addModule(recorder, 300, 2);
    recordCallsOfThree(recorder);
    ASSERT_EQ(warpo_recorder_dump(recorder, -1), 0);
    EXPECT_EQ(callsOf(readWarpo(file)), callsOfThree);
    ASSERT_EQ(warpo_recorder_dump(recorder, -1), 0);
    warpo_recorder_free(recorder);
    WarpoRecord record = readWarpo(file);
    EXPECT_EQ(callsOf(record), callsOfThree);
    EXPECT_EQ(record.damaged, 0u);
  }
}

/// The linked functions of modules 300 and 301: `+0 +1, +4`.
std::string linkedIn(const WarpoRecord &record) {
  std::string text;
  for (const warpo::RecordedModule &module : record.header.modules) {
    text += module.id == 300 ? "" : ",";
    for (int32_t id : module.linked)
      text += (text.empty() ? "+" : " +") + std::to_string(id - first);
  }
  return text;
}

TEST(StackModules, DeclareTheirLinkedFunctions) {
  const int32_t linked[] = {first, first + 1, first + 4, 0, -first};
  for (auto policy : {WARPO_POLICY_BLOCK, WARPO_POLICY_RING}) {
    TemporaryFolder folder;
    std::string file = folder.file("a.warpo");
    warpo_recorder_options options = warpoOptions(file, policy);
    warpo_recorder *recorder = warpo_recorder_open(&options);
    addModule(recorder, 300, 2);
    EXPECT_EQ(warpo_recorder_link(recorder, 300, linked, 1), 0);
    EXPECT_EQ(warpo_recorder_link(recorder, 300, linked + 1, 1), 0);
    EXPECT_EQ(warpo_recorder_link(recorder, 301, linked + 2, 1), 0);
    EXPECT_EQ(warpo_recorder_link(recorder, 301, nullptr, 0), 0);
    EXPECT_EQ(warpo_recorder_link(recorder, 301, linked + 2, 2), EINVAL);
    EXPECT_EQ(warpo_recorder_link(recorder, 301, linked + 4, 1), EINVAL);
    recordCallsOfThree(recorder);
    if (policy == WARPO_POLICY_RING) {
      ASSERT_EQ(warpo_recorder_dump(recorder, -1), 0);
      EXPECT_EQ(linkedIn(readWarpo(file)), "+0 +1, +4,");
    }
    warpo_recorder_free(recorder);
    WarpoRecord record = readWarpo(file);
    EXPECT_EQ(linkedIn(record), "+0 +1, +4,");
    EXPECT_EQ(callsOf(record), callsOfThree);
    EXPECT_EQ(record.damaged, 0u);
  }
  TemporaryFolder folder;
  std::string file = folder.file("a.bin");
  warpo_recorder_options options = warpoOptions(file);
  options.format = WARPO_FORMAT_WARP;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  EXPECT_EQ(warpo_recorder_link(recorder, 300, linked, 1), ENOTSUP);
  warpo_recorder_free(recorder);
  EXPECT_EQ(warpo_recorder_link(nullptr, 300, linked, 1), 0);
}

TEST(StackModules, HaveTheirOwnIdsInWarp) {
  TemporaryFolder folder;
  std::string file = folder.file("a.bin");
  warpo_recorder_options options = warpoOptions(file);
  options.format = WARPO_FORMAT_WARP;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  recordCallsOfThree(recorder);
  warpo_event_stream *stream = warpo_event_stream_open(recorder, 400);
  warpo_stack_module *app = warpo_event_stream_join(stream, 400);
  warpo_stack_module *lib = warpo_event_stream_join(stream, 401);
  warpo_trace_stack_event(app, first);
  warpo_trace_stack_event(lib, first | 0x300007);
  warpo_trace_stack_event(app, WARPO_TRAP_ID);
  warpo_trace_stack_event(lib, -(first | 0x300007));
  // One stream has it.
  warpo_event_stream *other = warpo_event_stream_open(recorder, 401);
  EXPECT_EQ(warpo_recorder_error(recorder), EBUSY);
  warpo_event_stream_close(other);
  warpo_event_stream_close(stream);
  warpo_recorder_free(recorder);
  std::vector<warpo_record> records = readRecords(file);
  EXPECT_EQ(idsOf(records, 300), (std::vector<int32_t>{first, first + 1, -first - 1, -first}));
  EXPECT_EQ(idsOf(records, 301), (std::vector<int32_t>{first + 1, -first - 1}));
  EXPECT_EQ(idsOf(records, 302), (std::vector<int32_t>{first, -first}));
  EXPECT_EQ(idsOf(records, 401),
            (std::vector<int32_t>{first | 0x300007, WARPO_TRAP_ID, -(first | 0x300007)}));
}

TEST(StackModules, AnIdOutsideOfItsModuleIsMeaningless) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = warpoOptions(file);
  warpo_recorder *recorder = warpo_recorder_open(&options);
  addModule(recorder, 300, 2);
  addModule(recorder, 301, 2);
  addModule(recorder, 302, 2, /*hasMarks=*/true);
  warpo_event_stream *stream = warpo_event_stream_open(recorder, 300);
  warpo_stack_module *lib = warpo_event_stream_join(stream, 301);
  warpo_stack_module *marked = warpo_event_stream_join(stream, 302);
  for (int32_t id : {first + 2, first - 1, 1, 0, INT32_MIN})
    EXPECT_EQ(warpo_stack_id(lib, id), 0) << id;
  for (int32_t id : {INT32_MAX, INT32_MAX - 1, 1 - INT32_MAX})
    EXPECT_EQ(warpo_stack_id(lib, id), id) << id;
  EXPECT_EQ(warpo_stack_id(marked, first | 0x300001), first + 4 + 0x300001);
  warpo_trace_stack_event(lib, first + 2);
  warpo_trace_stack_event(lib, first + 1);
  warpo_event_stream_close(stream);
  warpo_recorder_close(recorder);
  EXPECT_EQ(warpo_recorder_get_counts(recorder).meaningless, 1u);
  warpo_recorder_free(recorder);
  EXPECT_EQ(callsOf(readWarpo(file)), "301:+1");
}

TEST(StackModules, SumUpTheirFuel) {
  for (warpo_recorder_clock clock : {WARPO_CLOCK_COUNTER, WARPO_CLOCK_FUEL}) {
    TemporaryFolder folder;
    std::string file = folder.file("a.warpo");
    warpo_recorder_options options = warpoOptions(file);
    options.clock = clock;
    warpo_recorder *recorder = warpo_recorder_open(&options);
    warpo_event_stream *stream = warpo_event_stream_open_fuel(recorder, 300);
    warpo_stack_module *app = warpo_event_stream_join(stream, 300);
    warpo_stack_module *lib = warpo_event_stream_join(stream, 301);
    warpo_stack_module *plain = warpo_event_stream_join(stream, 302);
    warpo_trace_stack_event_fuel(app, first, 10);
    warpo_trace_stack_event_fuel(lib, first, 5);
    warpo_trace_stack_event(plain, first);
    warpo_trace_stack_event(plain, -first);
    warpo_trace_stack_event_fuel(lib, -first, 8);
    warpo_trace_stack_event_fuel(app, -first, 11);
    warpo_event_stream_close(stream);
    warpo_recorder_free(recorder);
    WarpoRecord record = readWarpo(file);
    ASSERT_EQ(record.streams.size(), 1u);
    const WarpoRecord::Stream &calls = record.streams[0];
    EXPECT_EQ(clock == WARPO_CLOCK_FUEL ? calls.times : calls.fuel,
              (std::vector<uint64_t>{10, 15, 15, 15, 18, 19}));
    EXPECT_EQ(record.fuelStepsBack + record.stepsBack, 0u);
  }
}

TEST(StackModules, NothingIsRecordedWithoutAStream) {
  EXPECT_EQ(warpo_event_stream_join(nullptr, 1), nullptr);
  warpo_trace_stack_event(nullptr, 1);
  warpo_trace_stack_event_fuel(nullptr, 1, 1);
}

} // namespace
