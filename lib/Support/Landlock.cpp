//===- Landlock.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Landlock.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OwnedDescriptor.h"
#include <cerrno>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

using namespace llvm;
using namespace warpo;

// In headers since Linux 6.2.
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

namespace {

constexpr uint64_t toRead =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr uint64_t toWrite =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE |
    LANDLOCK_ACCESS_FS_TRUNCATE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
    LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REFER;
/// The rights that apply to a file that is not a folder.
constexpr uint64_t ofFile = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                            LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE;

/// 0 if there is none.
int landlockVersion() {
  long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : int(version);
}

/// The rights controlled by rules: anything that no rule permits is forbidden.
uint64_t handledAccess() {
  uint64_t all = toRead | toWrite;
  // Truncating is only controlled from version 3 on.
  return landlockVersion() < 3 ? all & ~uint64_t(LANDLOCK_ACCESS_FS_TRUNCATE) : all;
}

Error systemError(const Twine &what) {
  return fileError(("Landlock: " + what).str(), std::error_code(errno, std::generic_category()));
}

class Ruleset {
public:
  Error create() {
    landlock_ruleset_attr attributes = {};
    attributes.handled_access_fs = handled_;
    fd_.reset(int(syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0)));
    return fd_ ? Error::success() : systemError("no rules can be made");
  }

  Error allow(const std::string &path, uint64_t access) {
    OwnedDescriptor file(open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat status;
    if (!file && (errno == ENOENT || errno == ENOTDIR || errno == EACCES))
      return Error::success();
    if (!file || fstat(file.get(), &status) != 0)
      return systemError(path);
    if (!S_ISDIR(status.st_mode))
      access &= ofFile;
    landlock_path_beneath_attr rule = {};
    rule.allowed_access = access & handled_;
    rule.parent_fd = file.get();
    if (syscall(SYS_landlock_add_rule, fd_.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
      return systemError(path);
    return Error::success();
  }

  Error restrictThread() {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        syscall(SYS_landlock_restrict_self, fd_.get(), 0) != 0)
      return systemError("no thread can be confined");
    return Error::success();
  }

private:
  OwnedDescriptor fd_;
  uint64_t handled_ = handledAccess();
};

} // namespace

bool warpo::hasLandlock() { return landlockVersion() >= 2; }

Error warpo::confineThread(const FileAccess &access) {
  Ruleset rules;
  if (Error error = rules.create())
    return error;
  for (const std::string &path : access.readable)
    if (Error error = rules.allow(path, toRead))
      return error;
  for (const std::string &path : access.writable)
    if (Error error = rules.allow(path, toWrite))
      return error;
  return rules.restrictThread();
}
