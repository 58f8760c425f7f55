//===- DemangledSizeItanium.cpp -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "DemangledSize.h"
#include "llvm/Demangle/ItaniumDemangle.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/MathExtras.h"
#include <unordered_map>

using namespace llvm;
using namespace llvm::itanium_demangle;

// Maximum text of a node apart from its parts: `reinterpret_cast<>()` and the like.
static constexpr uint64_t ownSize = 20;

namespace {

/// The allocator for nodes of LLVM's parser.
class Nodes {
public:
  void reset() { memory_.Reset(); }
  template <typename T, typename... Parts> Node *makeNode(Parts &&...parts) {
    if constexpr (std::is_same_v<T, ParameterPack>)
      longestPack_ = std::max({longestPack_, parts.size()...});
    return new (memory_.Allocate(sizeof(T), alignof(T))) T(std::forward<Parts>(parts)...);
  }
  void *allocateNodeArray(size_t count) {
    return memory_.Allocate(sizeof(Node *) * count, alignof(Node *));
  }
  uint64_t longestPack() const { return longestPack_; }

private:
  BumpPtrAllocator memory_;
  size_t longestPack_ = 1;
};

using Parser = ManglingParser<Nodes>;

class PrintedSize {
public:
  /// An expansion prints its pattern once for each element of its pack.
  explicit PrintedSize(uint64_t longestPack) : longestPack_(longestPack) {}

  uint64_t of(const Node *node) {
    if (!node)
      return 0;
    // A node within itself is printed once.
    if (auto [known, isNew] = sizes_.try_emplace(node, 0); !isNew)
      return known->second;
    uint64_t size = 0;
    node->visit([&](const auto *typed) { size = SaturatingAdd(ownSize, ofParts(*typed)); });
    return sizes_[node] = size;
  }

private:
  template <typename T> uint64_t ofParts(const T &node) {
    uint64_t size = 0;
    node.match([&](const auto &...parts) { ((size = SaturatingAdd(size, ofPart(parts))), ...); });
    return size;
  }
  uint64_t ofParts(const ForwardTemplateReference &node) { return of(node.Ref); }
  // Prints one of its elements each time.
  uint64_t ofParts(const ParameterPack &node) {
    uint64_t size = 0;
    node.match([&](NodeArray elements) {
      for (const Node *element : elements)
        size = std::max(size, of(element));
    });
    return size;
  }
  uint64_t ofParts(const ParameterPackExpansion &node) {
    return SaturatingMultiply(of(node.getChild()), longestPack_);
  }

  template <typename T> uint64_t ofPart(const T &part) {
    uint64_t size = 0;
    if constexpr (std::is_convertible_v<T, const Node *>)
      size = of(part);
    else if constexpr (std::is_convertible_v<T, std::string_view>)
      size = std::string_view(part).size();
    else if constexpr (std::is_same_v<T, NodeArray>)
      for (const Node *node : part)
        size = SaturatingAdd(size, of(node));
    return size;
  }

  uint64_t longestPack_;
  std::unordered_map<const Node *, uint64_t> sizes_;
};

} // namespace

uint64_t warpo::demangledSizeOfItanium(StringRef name) {
  Parser parser(name.begin(), name.end());
  const Node *whole = parser.parse();
  return whole ? PrintedSize(parser.ASTAllocator.longestPack()).of(whole) : UINT64_MAX;
}
