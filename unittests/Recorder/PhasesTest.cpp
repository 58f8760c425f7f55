// SPDX-License-Identifier: Apache-2.0
// What the host did, written by the recorder and read back, and blocks that say what cannot be.
#include "RecordFile.h"
#include "WarpoRecord.h"
#include "warpo/Recorder/record_blocks.h"

#include <cerrno>

using namespace warpo;

namespace {

std::string describe(const RecordHeader &header) {
  std::string text;
  for (const RecordedPhase &phase : header.phases)
    text += phase.name + " " + std::to_string(phase.begin) + " " + std::to_string(phase.end) + " " +
            std::to_string(phase.ticks) + " " + phase.unit + "; ";
  return text;
}

class Phases : public testing::TestWithParam<warpo_recorder_policy> {};

TEST_P(Phases, StandInTheRecord) {
  TemporaryFolder folder;
  std::string file = folder.file("a.warpo");
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  options.file = file.c_str();
  options.format = WARPO_FORMAT_WARPO;
  options.policy = GetParam();
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_event_stream *stream = warpo_event_stream_open(recorder, 7);
  warpo_trace_event(stream, 1);
  warpo_trace_event(stream, -1);
  std::string longName(100, 'x');
  const warpo_phase phases[] = {{"decode", 5, 7, "bytes", 0},
                                {"run", 7, INT64_MAX, nullptr, 12},
                                {longName.c_str(), 0, 0, "fuel", UINT64_MAX}};
  EXPECT_EQ(warpo_recorder_add_phases(recorder, phases, 2), 0);
  EXPECT_EQ(warpo_recorder_add_phases(recorder, phases + 2, 1), 0);
  EXPECT_EQ(warpo_recorder_add_phases(recorder, phases, 0), 0);
  EXPECT_EQ(warpo_recorder_add_phases(recorder, phases, size_t(1) << 20), EINVAL);
  EXPECT_EQ(warpo_recorder_add_phases(nullptr, phases, 2), 0);
  warpo_recorder_close(recorder);
  EXPECT_STREQ(warpo_recorder_error_text(recorder), "");
  warpo_recorder_free(recorder);

  WarpoRecord record = readWarpo(file);
  EXPECT_EQ(record.error, "");
  EXPECT_EQ(record.damaged, 0u);
  EXPECT_EQ(record.events(), 2u);
  EXPECT_EQ(describe(record.header), "decode 5 7 0 bytes; run 7 9223372036854775807 0 ; " +
                                         std::string(64, 'x') + " 0 0 18446744073709551615 fuel; ");
}

INSTANTIATE_TEST_SUITE_P(Policies, Phases, testing::Values(WARPO_POLICY_BLOCK, WARPO_POLICY_RING));

TEST(PhasesOfWarp, HaveNoPlace) {
  TemporaryFolder folder;
  std::string file = folder.file("a.rec");
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  options.file = file.c_str();
  options.format = WARPO_FORMAT_WARP;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  const warpo_phase phase = {"run", 1, 2, "fuel", 3};
  EXPECT_EQ(warpo_recorder_add_phases(recorder, &phase, 1), ENOTSUP);
  warpo_module_info module = {};
  EXPECT_EQ(warpo_recorder_add_module(recorder, &module), ENOTSUP);
  EXPECT_EQ(warpo_recorder_add_phases(recorder, &phase, 0), 0);
  warpo_recorder_close(recorder);
  EXPECT_STREQ(warpo_recorder_error_text(recorder), "") << "the record is sound without them";
  warpo_recorder_free(recorder);
  EXPECT_TRUE(readRecords(file).empty());
}

TEST(PhasesBlock, WhatCannotBeIsSkippedWhole) {
  struct {
    const char *name;
    uint64_t count, begin, end;
    size_t cut;
  } cases[] = {{"a sound one", 1, 1, 2, 0},
               {"more than there are", 2, 1, 2, 0},
               {"many more", UINT64_MAX, 1, 2, 0},
               {"an end before the begin", 1, 2, 1, 0},
               {"cut off", 1, 1, 2, 3}};
  for (const auto &test : cases) {
    uint8_t block[256];
    uint8_t *at = warpo_put_u(block + warpo_block_header_size, test.count);
    at = warpo_put_text(at, "run", 3);
    at = warpo_put_fixed(at, test.begin, 8);
    at = warpo_put_fixed(at, test.end, 8);
    at = warpo_put_text(at, "fuel", 4);
    at = warpo_put_fixed(at, 3, 8) - test.cut;
    warpo_frame_block(block, warpo_block_phases, 0, size_t(at - block) - warpo_block_header_size);
    TemporaryFolder folder;
    std::string file = folder.file("a.warpo");
    std::ofstream(file, std::ios::binary)
        .write(WARPO_SIGNATURE, warpo_signature_size)
        .write(reinterpret_cast<char *>(block), at - block);
    WarpoRecord record = readWarpo(file);
    bool isSound = &test == &cases[0];
    EXPECT_EQ(describe(record.header), isSound ? "run 1 2 3 fuel; " : "") << test.name;
  }
}

} // namespace
