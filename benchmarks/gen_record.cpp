//===- gen_record.cpp - Synthetic records for the benchmarks --------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   gen_record ENTRIES FUNCTIONS MODULES OUT.bin OUT.map [CONTEXTS [SEED]]
//
// Writes a WARP record and its mapping; the same arguments give the same bytes.
//
// CONTEXTS 0 (the default): each call goes to a random function, so that almost every call is a
// calling context of its own: the worst case for a call tree, the usual case for a timeline.
// CONTEXTS n: calls walk a fixed random tree of n calling contexts, the popular ones often, as
// programs do.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

namespace {

constexpr uint32_t firstId = 0x1000000;
constexpr unsigned maxTreeDepth = 40;
constexpr unsigned maxStackDepth = 60;

std::mt19937_64 random64;
uint64_t below(uint64_t limit) { return random64() % limit; }

class RecordFile {
public:
  explicit RecordFile(FILE *file) : file_(file) { put("___WARP_TRACE___", 16); }
  void entry(uint64_t module, uint32_t time, int32_t id) {
    put(&module, 8);
    put(&time, 4);
    put(&id, 4);
  }
  bool close() {
    flush();
    return fclose(file_) == 0;
  }

private:
  void put(const void *bytes, size_t size) {
    buffer_.insert(buffer_.end(), static_cast<const char *>(bytes),
                   static_cast<const char *>(bytes) + size);
    if (buffer_.size() >= 1 << 20)
      flush();
  }
  void flush() {
    fwrite(buffer_.data(), 1, buffer_.size(), file_);
    buffer_.clear();
  }

  FILE *file_;
  std::vector<char> buffer_;
};

/// A calling context; number 0 is the host.
struct Context {
  unsigned function = 0;
  unsigned depth = 0;
  std::vector<unsigned> callees;
};

// Each hangs under a random earlier one.
std::vector<Context> makeTree(unsigned contexts, unsigned functions) {
  std::vector<Context> tree(1);
  for (unsigned i = 1; i <= contexts; ++i) {
    uint64_t parent = below(tree.size());
    while (tree[parent].depth >= maxTreeDepth)
      parent = below(tree.size());
    tree.push_back({unsigned(below(functions)), tree[parent].depth + 1, {}});
    tree[parent].callees.push_back(i);
  }
  return tree;
}

struct Frame {
  int32_t id;
  unsigned context;
};

struct Module {
  std::vector<Frame> stack;
  uint64_t time = 1000;
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 6) {
    fprintf(stderr,
            "usage: gen_record ENTRIES FUNCTIONS MODULES OUT.bin OUT.map [CONTEXTS [SEED]]\n");
    return 2;
  }
  uint64_t entries = strtoull(argv[1], nullptr, 10);
  unsigned functions = unsigned(atoi(argv[2]));
  std::vector<Module> modules(size_t(atoi(argv[3])));
  unsigned contexts = argc > 6 ? unsigned(atoi(argv[6])) : 0;
  random64.seed(argc > 7 ? uint64_t(atoll(argv[7])) : 1);
  FILE *recordFile = fopen(argv[4], "wb");
  FILE *mapping = fopen(argv[5], "w");
  if (!recordFile || !mapping) {
    perror("gen_record");
    return 1;
  }

  for (unsigned i = 0; i < functions; ++i)
    fprintf(mapping, "%u assembly/module%u/Class%u#method%u<i32,~lib/string/String>\n", firstId + i,
            i % 17, i % 131, i);
  fclose(mapping);

  RecordFile record(recordFile);
  std::vector<Context> tree = makeTree(contexts, functions);
  size_t current = 0;
  uint64_t open = 0;
  for (uint64_t written = 0; written < entries; ++written) {
    if (below(4096) == 0)
      current = below(modules.size());
    modules[current].time += 20 + below(400);
    if (below(100000) == 0)
      modules[current].time += 3000000;

    int32_t id;
    const auto &stack = modules[current].stack;
    unsigned context = stack.empty() ? 0 : stack.back().context;
    bool canCall = contexts ? !tree[context].callees.empty() : stack.size() < maxStackDepth;
    bool mustReturn = open >= entries - written;
    if (!mustReturn && (stack.empty() || (canCall && below(100) < (contexts ? 70 : 51)))) {
      unsigned callee = 0;
      unsigned function;
      if (contexts) {
        // The smaller of two random numbers: the first callees are the popular ones.
        const auto &callees = tree[context].callees;
        uint64_t a = below(callees.size());
        uint64_t b = below(callees.size());
        callee = callees[a < b ? a : b];
        function = tree[callee].function;
      } else {
        uint64_t any = below(functions);
        function = unsigned(any * below(1000) / 1000);
      }
      id = int32_t(firstId + function);
      modules[current].stack.push_back({id, callee});
      ++open;
    } else {
      while (modules[current].stack.empty())
        current = (current + 1) % modules.size();
      id = -modules[current].stack.back().id;
      modules[current].stack.pop_back();
      --open;
    }
    record.entry(0x10 + current, uint32_t(modules[current].time), id);
  }
  return record.close() ? 0 : 1;
}
