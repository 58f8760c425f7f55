//===- CodeListing.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CodeListing.h"
#include "warpo/Source/SourceLocator.h"
#include "warpo/Support/Demangle.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Toolchain/TextFormat.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/Module.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

std::string ShownNames::of(uint32_t function) const {
  return displayShortName(function < module_.functionCount() ? demangleName(names_[function])
                                                             : FunctionNames::numbered(function));
}

/// The numbers after the opcode; nothing for other immediates.
static std::string immediatesOf(const Instruction &instruction, ArrayRef<uint32_t> labels,
                                const ShownNames &names) {
  ByteCursor cursor(ArrayRef(instruction.immediates, instruction.end));
  std::string text;
  auto add = [&](const Twine &part) { text += (" " + part).str(); };
  for (uint32_t label : labels)
    add(Twine(label));
  for (uint32_t kinds = instruction.info->immediates; kinds != 0; kinds >>= 8) {
    switch (ImmediateKind(kinds & 0xff)) {
    case ImmediateKind::function:
      add(displayShortName(names.of(cursor.uleb32())));
      break;
    case ImmediateKind::signed32:
      add(Twine(cursor.sleb32()));
      break;
    case ImmediateKind::signed64:
      add(Twine(cursor.sleb64()));
      break;
    case ImmediateKind::bytes4:
      add(formatv("{0}", bit_cast<float>(cursor.u32())).str());
      break;
    case ImmediateKind::bytes8:
      add(formatv("{0}", bit_cast<double>(cursor.u64())).str());
      break;
    case ImmediateKind::memArg: {
      // Only plain ones: others have more than an alignment before the offset.
      bool isPlain = cursor.uleb32() < 0x10;
      if (uint64_t offset = isPlain ? cursor.uleb64() : 0)
        add("offset=" + Twine(offset));
      return text;
    }
    case ImmediateKind::type:
    case ImmediateKind::table:
    case ImmediateKind::memory:
    case ImmediateKind::global:
    case ImmediateKind::local:
    case ImmediateKind::tag:
    case ImmediateKind::data:
    case ImmediateKind::element:
    case ImmediateKind::field:
    case ImmediateKind::count:
      add(Twine(cursor.uleb32()));
      break;
    default:
      return text;
    }
  }
  return text;
}

static std::string textOf(const Instruction &instruction, ArrayRef<uint32_t> labels,
                          const ShownNames &names) {
  return instruction.info->name + immediatesOf(instruction, labels, names);
}

Expected<CodeListing> CodeListing::read(StringRef path, const std::optional<SourcePaths> &paths) {
  auto input = readModuleFile(path);
  if (!input)
    return input.takeError();
  StringRef fileName = (*input)->getBufferIdentifier();
  auto module = readModule(arrayRefFromStringRef((*input)->getBuffer()), fileName);
  if (!module)
    return module.takeError();
  auto places = locateModule({*module, path, "", ""});
  if (!places)
    return places.takeError();
  return make(*module, *places, paths);
}

Expected<CodeListing> CodeListing::make(const Module &module, const ModulePlaces &places,
                                        const std::optional<SourcePaths> &paths) {
  ShownNames names(module);
  CodeListing listing;
  SmallVector<uint32_t> labels;
  for (const auto &[number, body] : enumerate(module.bodies)) {
    std::string name = names.of(uint32_t(module.importedFunctionCount() + number));
    std::vector<std::string> *last = nullptr;
    ByteCursor cursor = body.cursor();
    skipLocals(cursor);
    CodeWalker walker(cursor, &labels);
    for (Instruction instruction; walker.next(instruction);) {
      uint64_t offset = body.offset + uint64_t(instruction.begin - body.bytes.data());
      SmallVector<SourceFrame, 4> frames = locate(places, offset - places.code);
      if (frames.empty() || frames.front().line == 0 || frames.front().file.empty())
        continue;
      const SourceFrame &at = frames.front();
      std::string file = paths ? (*paths)(at.file) : plainPath(at.file).str();
      std::vector<std::string> &code = listing.code_[{std::move(file), at.line}];
      if (&code != last)
        code.push_back("in " + name + ":");
      last = &code;
      code.push_back("0x" + utohexstr(offset, /*LowerCase=*/true) + "  " +
                     textOf(instruction, labels, names));
    }
    if (!cursor.ok())
      return cursor.takeError(module.fileName);
  }
  return listing;
}

ArrayRef<std::string> CodeListing::of(StringRef file, uint32_t line) const {
  auto found = code_.find({file.str(), line});
  return found == code_.end() ? ArrayRef<std::string>() : ArrayRef(found->second);
}

// All lines are within the body.
void RunTexts::addBody(const ByteRange &body, MutableArrayRef<AnnotatedLine> lines) const {
  // Longer lines are useless.
  static constexpr size_t longest = 400;
  SmallVector<uint32_t> labels;
  ByteCursor cursor = body.cursor();
  skipLocals(cursor);
  CodeWalker walker(cursor, &labels);
  for (Instruction instruction; walker.next(instruction) && !lines.empty();) {
    uint64_t offset = body.offset + uint64_t(instruction.begin - body.bytes.data());
    while (lines.size() > 1 && lines[1].number <= offset)
      lines = lines.drop_front();
    if (offset < lines.front().number)
      continue;
    std::optional<std::string> &text = lines.front().text;
    if (text && text->size() > longest)
      continue;
    text = (text ? *text + "; " : "") + textOf(instruction, labels, names_);
  }
}

void RunTexts::add(MutableArrayRef<AnnotatedLine> lines) const {
  auto endOf = [](const ByteRange &body) { return body.offset + body.bytes.size(); };
  ArrayRef<ByteRange> bodies = module_.bodies;
  while (!lines.empty()) {
    auto isBefore = [&](const ByteRange &body) { return endOf(body) <= lines.front().number; };
    bodies = bodies.drop_front(size_t(llvm::partition_point(bodies, isBefore) - bodies.begin()));
    if (bodies.empty())
      return;
    auto isInside = [&](const AnnotatedLine &line) { return line.number < endOf(bodies.front()); };
    auto inside = size_t(llvm::partition_point(lines, isInside) - lines.begin());
    addBody(bodies.front(), lines.take_front(inside));
    lines = lines.drop_front(inside);
  }
}
