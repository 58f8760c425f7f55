//===- Progress.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Progress.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

Progress::Progress(StringRef label, std::optional<uint64_t> total, bool enabled)
    : label_(label), total_(total), enabled_(enabled && sys::Process::StandardErrIsDisplayed()),
      next_(steady_clock::now() + milliseconds(500)) {}

Progress::~Progress() {
  if (drawn_)
    errs() << "\r\033[K";
}

void Progress::update(uint64_t done) {
  if (!enabled_ || steady_clock::now() < next_)
    return;
  next_ = steady_clock::now() + milliseconds(100);
  draw(done);
}

void Progress::draw(uint64_t done) {
  constexpr unsigned barWidth = 30;
  drawn_ = true;
  errs() << "\r\033[K" << label_ << ' ';
  if (total_ && *total_ > 0) {
    double share = std::min(1.0, double(done) / double(*total_));
    auto filled = unsigned(share * barWidth);
    errs() << '[' << std::string(filled, '#') << std::string(barWidth - filled, ' ') << ']'
           << format(" %3.0f %%", share * 100);
  } else {
    errs() << format("%.1f MB", double(done) / 1e6);
  }
}
