/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the format, for JavaScript. */
#include "exports.h"
#include "warpo/Recorder/event_packing.h"
#include "warpo/Recorder/heap_sampler.h"
#include "warpo/Recorder/record_blocks.h"
#include "warpo/Recorder/sample_stream.h"
#include "warpo/Recorder/section.h"

typedef struct named_number {
  const char *name;
  int32_t value;
} named_number;

static const named_number numbers[] = {
    {"blockHeaderSize", warpo_block_header_size},
    {"blockStacks", warpo_block_stacks},
    {"causeBufferFull", warpo_loss_buffer_full},
    {"causeLimit", warpo_loss_limit},
    {"causeUnknown", warpo_loss_unknown},
    {"causeWriteFailed", warpo_loss_write_failed},
    {"dueByFuel", WARPO_SAMPLED_BY_FUEL},
    {"dueByTime", WARPO_SAMPLED_BY_TIME},
    {"endSize", warpo_end_block_size},
    {"firstId", warpo_first_id},
    {"firstSectionId", WARPO_FIRST_SECTION_ID},
    {"fuelClock", warpo_clock_fuel},
    {"heapBlockSize", warpo_heap_block_size},
    {"heapMemory", warpo_heap_memory},
    {"heapSlots", warpo_heap_slots},
    {"heapTimeShift", warpo_heap_time_shift},
    {"indexHeadSize", warpo_index_head_size},
    {"maxFrames", warpo_max_frames},
    {"maxFrameText", warpo_max_frame_text},
    {"maxIndexEntrySize", warpo_max_index_entry_size},
    {"maxNumberSize", warpo_max_u_size},
    {"maxOffsetSize", warpo_max_offset_size},
    {"maxPayload", warpo_max_payload},
    {"maxPlaces", WARPO_MAX_PLACES},
    {"maxSampleSize", warpo_max_sample_size},
    {"maxSectionName", WARPO_MAX_SECTION_NAME},
    {"maxSectionNames", WARPO_MAX_SECTION_NAMES},
    {"maxStackSize", warpo_max_stack_size},
    {"maxStacks", warpo_max_stacks},
    {"maxSwitchSize", warpo_max_switch_size},
    {"maxSwitches", warpo_max_switches},
    {"maxWindows", warpo_max_windows},
    {"maxWindowSize", warpo_max_window_size},
    {"namesBlockSize", warpo_names_block_size},
    {"recordingId", WARPO_RECORDING_ID},
    {"samplesBlockSize", warpo_samples_block_size},
    {"sectionEnd", warpo_section_end_id},
    {"signatureSize", warpo_signature_size},
    {"stacksBlockSize", warpo_stacks_block_size},
    {"suspendedId", WARPO_SUSPENDED_ID},
    {"switchResumes", warpo_switch_resumes},
    {"switchReturns", warpo_switch_returns},
    {"switchStarts", warpo_switch_starts},
    {"switchesBlockSize", warpo_switches_block_size},
    {"timeClock", warpo_clock_time},
    {"trapId", WARPO_TRAP_ID},
    {"unknownIds", warpo_unknown_ids},
    {"unknownMarkedIds", warpo_unknown_marked_ids},
    {NULL, 0},
};

EXPORT(numbers) const named_number *get_numbers(void) { return numbers; }

static const char signature[] = WARPO_SIGNATURE;
EXPORT(signature) const char *get_signature(void) { return signature; }
/* Starts version 2: at the start of the record, or between two blocks before the first stream with
 * a further module. */
static const char stack_signature[] = WARPO_STACK_SIGNATURE;
EXPORT(stackSignature) const char *get_stack_signature(void) { return stack_signature; }
