//===- InterpPauses.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// wabt's Thread can run a number of instructions and has its frames in a vector, but the functions
// that begin a call are private, and so are the frames. An explicit instantiation may name private
// members; that is its only purpose here.
//
//===----------------------------------------------------------------------===//

#include "InterpPauses.h"

using namespace warpo::interpreter;

namespace {

template <typename Tag, typename Tag::Type member> struct Reveal {
  friend constexpr typename Tag::Type revealed(Tag) { return member; }
};

struct FramesTag {
  using Type = Frames interp::Thread::*;
  friend constexpr Type revealed(FramesTag);
};
template struct Reveal<FramesTag, &interp::Thread::frames_>;

struct TraceTag {
  using Type = Frames interp::Trap::*;
  friend constexpr Type revealed(TraceTag);
};
template struct Reveal<TraceTag, &interp::Trap::trace_>;

struct PushCallTag {
  using Type = interp::RunResult (interp::Thread::*)(const interp::DefinedFunc &,
                                                     interp::Trap::Ptr *);
  friend constexpr Type revealed(PushCallTag);
};
template struct Reveal<PushCallTag, &interp::Thread::PushCall>;

struct PushValuesTag {
  using Type = void (interp::Thread::*)(const interp::ValueTypes &, const interp::Values &);
  friend constexpr Type revealed(PushValuesTag);
};
template struct Reveal<PushValuesTag, &interp::Thread::PushValues>;

struct PopValuesTag {
  using Type = void (interp::Thread::*)(const interp::ValueTypes &, interp::Values *);
  friend constexpr Type revealed(PopValuesTag);
};
template struct Reveal<PopValuesTag, &interp::Thread::PopValues>;

} // namespace

/// These take a few microseconds.
static constexpr int instructionsBetween = 500;

const Frames &warpo::interpreter::framesOf(const interp::Thread &thread) {
  return thread.*revealed(FramesTag{});
}

const Frames &warpo::interpreter::framesOf(const interp::Trap &trap) {
  return trap.*revealed(TraceTag{});
}

wabt::Result warpo::interpreter::callWithPauses(interp::Store &store, interp::Func &function,
                                                const interp::Values &arguments,
                                                interp::Values &results, interp::Trap::Ptr *trap,
                                                const std::function<void(const Frames &)> &pause) {
  // A host function that the module re-exports.
  if (!interp::DefinedFunc::classof(&function))
    return function.Call(store, arguments, results, trap);
  interp::Thread thread(store);
  (thread.*revealed(PushValuesTag{}))(function.type().params, arguments);
  interp::RunResult result =
      (thread.*revealed(PushCallTag{}))(static_cast<const interp::DefinedFunc &>(function), trap);
  while (result == interp::RunResult::Ok) {
    result = thread.Run(instructionsBetween, trap);
    if (result == interp::RunResult::Ok)
      pause(framesOf(thread));
  }
  if (result == interp::RunResult::Exception)
    *trap = interp::Trap::New(store, "uncaught exception");
  if (result != interp::RunResult::Return)
    return wabt::Result::Error;
  (thread.*revealed(PopValuesTag{}))(function.type().results, &results);
  return wabt::Result::Ok;
}
