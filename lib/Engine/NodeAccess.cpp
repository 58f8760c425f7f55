//===- NodeAccess.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NodeAccess.h"
#include "warpo/Support/ChildProcess.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace llvm;
using namespace warpo;

/// Libraries and other files of the system, rather than of a user. From /etc only what a process
/// reads when it starts. Not /proc, which has the variables of our environment.
static constexpr const char *systemFiles[] = {
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",
    "/etc/ssl/certs",
    "/etc/pki/tls/openssl.cnf",
    "/etc/pki/tls/certs",
    "/etc/pki/ca-trust",
    "/etc/crypto-policies",
    "/dev/random",
    "/dev/urandom",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
};

/// Variables with files, or lists of files, that Node or its libraries read.
static constexpr const char *fileVariables[] = {
    "LD_LIBRARY_PATH", "LD_PRELOAD",   "NODE_EXTRA_CA_CERTS", "NODE_ICU_DATA",
    "OPENSSL_CONF",    "SSL_CERT_DIR", "SSL_CERT_FILE"};

static std::string realPath(StringRef path) {
  SmallString<256> real;
  return sys::fs::real_path(path, real) ? path.str() : real.str().str();
}

/// What a module in this folder may import: packages, and the files that say of what kind they are.
static void addPackages(StringRef folder, std::vector<std::string> &files) {
  for (; !folder.empty(); folder = sys::path::parent_path(folder))
    for (StringRef name : {"node_modules", "package.json"}) {
      SmallString<256> file = folder;
      sys::path::append(file, name);
      files.push_back(file.str().str());
    }
}

static void addModule(StringRef path, std::vector<std::string> &files) {
  std::string real = realPath(path);
  StringRef folder = sys::path::parent_path(real);
  files.push_back(folder.str());
  addPackages(folder, files);
}

/// NODE_OPTIONS may name modules to load first.
static void addOptions(StringRef options, std::vector<std::string> &files) {
  SmallString<256> here;
  if (!options.empty() && !sys::fs::current_path(here))
    addPackages(here, files);
  SmallVector<StringRef> words;
  options.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    // `--import file` and `--import=file`.
    StringRef file = word.starts_with("-") ? word.split('=').second : word;
    file.consume_front("file://");
    if (sys::fs::is_regular_file(file))
      addModule(file, files);
  }
}

static bool isExecutable(StringRef path) {
  auto head = MemoryBuffer::getFileSlice(path, 4, 0);
  return head && (*head)->getBuffer() == "\x7f"
                                         "ELF";
}

Expected<std::string> warpo::findNodeItself(StringRef node) {
  std::string real = realPath(node);
  if (sys::path::filename(real).starts_with("node") && isExecutable(real))
    return real;
  ChildProcess child;
  child.program = node.str();
  child.arguments = {"node", "-e",
                     "fs.writeSync(" + std::to_string(ChildProcess::answerDescriptor) +
                         ", process.execPath)"};
  auto end = runChild(child);
  if (!end)
    return end.takeError();
  if (end->answer.empty())
    return makeError(node + " ended with " + end->description +
                     " when it was asked for its executable");
  return end->answer;
}

FileAccess warpo::accessOfNode(StringRef node, StringRef script, const RunRequest &request) {
  FileAccess access;
  std::vector<std::string> &readable = access.readable;
  readable.assign(std::begin(systemFiles), std::end(systemFiles));
  for (const char *variable : fileVariables)
    if (const char *value = std::getenv(variable)) {
      SmallVector<StringRef> files;
      StringRef(value).split(files, ':', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
      for (StringRef file : files)
        readable.push_back(file.str());
    }
  // Libraries installed with Node are in a folder beside its own.
  SmallString<256> libraries = sys::path::parent_path(sys::path::parent_path(node));
  sys::path::append(libraries, "lib");
  readable.push_back(node.str());
  readable.push_back(libraries.str().str());
  // The host script's package.
  readable.push_back(sys::path::parent_path(sys::path::parent_path(script)).str());
  readable.push_back(request.app);
  for (const RunRequest::Link &link : request.links)
    readable.push_back(link.path);
  if (!request.hostImports.empty())
    addModule(request.hostImports, readable);
  if (const char *options = std::getenv("NODE_OPTIONS"))
    addOptions(options, readable);

  access.writable.push_back("/dev/null");
  for (const RunRequest::Directory &folder : request.directories)
    access.writable.push_back(folder.host);
  return access;
}
