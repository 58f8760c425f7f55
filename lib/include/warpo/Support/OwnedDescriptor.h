//===- OwnedDescriptor.h - A file descriptor with an owner ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_OWNEDDESCRIPTOR_H
#define WARPO_SUPPORT_OWNEDDESCRIPTOR_H

#include <unistd.h>
#include <utility>

namespace warpo {

/// Owns a file descriptor of this process, or none (-1).
class OwnedDescriptor {
public:
  explicit OwnedDescriptor(int fd = -1) : fd_(fd) {}
  OwnedDescriptor(OwnedDescriptor &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedDescriptor &operator=(OwnedDescriptor &&other) noexcept {
    reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~OwnedDescriptor() { reset(); }

  void reset(int fd = -1) {
    if (fd_ >= 0)
      close(fd_);
    fd_ = fd;
  }
  int get() const { return fd_; }
  /// Passes ownership to the caller.
  int release() { return std::exchange(fd_, -1); }
  explicit operator bool() const { return fd_ >= 0; }

private:
  int fd_;
};

} // namespace warpo

#endif
