//===- SourceMap.cpp - The codec of mappings, and the JSON around them ----===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/SourceMap.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/JsonInput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

static constexpr StringLiteral digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// A digit has five bits of a number, the lowest first, and a bit for whether another digit follows.
// The lowest bit of the number is its sign.
static constexpr unsigned bitsOfDigit = 5;
static constexpr unsigned more = 1 << bitsOfDigit;

static const std::array<int8_t, 256> digitValues = [] {
  std::array<int8_t, 256> values;
  values.fill(-1);
  for (size_t i = 0; i != digits.size(); ++i)
    values[uint8_t(digits[i])] = int8_t(i);
  return values;
}();

Error MappingsReader::fail(const Twine &what) const {
  return makeError("mappings, character " + Twine(at_) + ": " + what);
}

// Reads a difference and adds it to `field`.
Error MappingsReader::readField(uint32_t &field) {
  uint64_t bits = 0;
  for (unsigned shift = 0;; shift += bitsOfDigit) {
    if (atFieldEnd())
      return fail("a number that does not end");
    int digit = digitValues[uint8_t(text_[at_])];
    if (digit < 0)
      return fail("not a digit in base 64");
    if (shift > 32)
      return fail("a number of more than 32 bits");
    ++at_;
    bits |= uint64_t(digit & (more - 1)) << shift;
    if (!(digit & more))
      break;
  }
  int64_t difference = bits & 1 ? -int64_t(bits >> 1) : int64_t(bits >> 1);
  int64_t value = int64_t(field) + difference;
  if (value < 0 || value > UINT32_MAX)
    return fail("a number that leads to " + Twine(value));
  field = uint32_t(value);
  return Error::success();
}

Expected<bool> MappingsReader::next(SourceMapEntry &entry) {
  bool onFirstLine = true;
  for (; at_ != text_.size() && atFieldEnd(); ++at_)
    onFirstLine &= text_[at_] == ',';
  if (at_ == text_.size())
    return false;
  if (!onFirstLine)
    return fail("a second line: a module is one line");

  uint32_t last = offset_;
  if (Error error = readField(offset_))
    return error;
  if (offset_ < last)
    return fail("offset " + Twine(offset_) + " after " + Twine(last));
  entry = SourceMapEntry();
  entry.offset = offset_;
  if (atFieldEnd())
    return true;
  for (uint32_t *field : {&place_.source, &place_.line, &place_.column})
    if (Error error = readField(*field))
      return error;
  entry.place = place_;
  if (atFieldEnd())
    return true;
  if (Error error = readField(name_))
    return error;
  entry.name = name_;
  if (!atFieldEnd())
    return fail("an entry of more than five numbers");
  return true;
}

void MappingsWriter::field(uint32_t &last, uint32_t value) {
  int64_t difference = int64_t(value) - int64_t(last);
  uint64_t bits = difference < 0 ? uint64_t(-difference) << 1 | 1 : uint64_t(difference) << 1;
  do {
    unsigned digit = unsigned(bits & (more - 1));
    bits >>= bitsOfDigit;
    text_ += digits[bits ? digit | more : digit];
  } while (bits);
  last = value;
}

void MappingsWriter::add(const SourceMapEntry &entry) {
  if (!text_.empty())
    text_ += ',';
  field(offset_, entry.offset);
  if (!entry.place)
    return;
  field(place_.source, entry.place->source);
  field(place_.line, entry.place->line);
  field(place_.column, entry.place->column);
  if (entry.name)
    field(name_, *entry.name);
}

// asc writes the name of the module as the root, although sources are relative to the folder where
// asc was started.
static bool isRootOfAsc(StringRef root, const json::Array &sources, StringRef fileName) {
  return root.consume_front("./") && !root.contains('/') &&
         (sys::path::filename(fileName).starts_with((root + ".").str()) ||
          any_of(sources, [](const json::Value &source) {
            return source.getAsString().value_or("").starts_with("~lib/");
          }));
}

Expected<SourceMap> SourceMap::parse(StringRef json, StringRef fileName) {
  // This line keeps browsers from running a map as a script.
  if (json.starts_with(")]}"))
    json = json.split('\n').second;
  auto document = parseJson(json, fileName);
  if (!document)
    return document.takeError();
  json::Object *object = document->getAsObject();
  if (!object)
    return fileError(fileName, "a source map is a JSON object");
  if (object->get("sections"))
    return fileError(fileName, "a source map of several sections, which modules do not have");
  if (object->getInteger("version").value_or(0) != 3)
    return fileError(fileName, "a source map has the version 3");
  if (!object->getString("mappings"))
    return fileError(fileName, "a source map has mappings, a string");
  const json::Array *sources = object->getArray("sources");
  if (!sources)
    return fileError(fileName, "a source map has sources, an array");

  std::vector<std::string> paths;
  std::string root = object->getString("sourceRoot").value_or("").str();
  if (isRootOfAsc(root, *sources, fileName))
    root.clear();
  if (!root.empty() && root.back() != '/')
    root += '/';
  for (const json::Value &source : *sources) {
    // A source without a name is null.
    std::optional<StringRef> name = source.getAsString();
    if (!name && source.kind() != json::Value::Null)
      return fileError(fileName, "a source that is not a string");
    paths.push_back(name ? root + name->str() : "");
  }
  std::vector<std::string> names;
  if (const json::Array *given = object->getArray("names"))
    for (const json::Value &name : *given)
      names.push_back(name.getAsString().value_or("").str());
  SourceMap map(std::move(*object));
  map.fileName_ = fileName.str();
  map.sources_ = std::move(paths);
  map.names_ = std::move(names);
  return map;
}

std::optional<StringRef> SourceMap::text(size_t source) const {
  const json::Array *texts = object_.getArray("sourcesContent");
  return texts && source < texts->size() ? (*texts)[source].getAsString() : std::nullopt;
}

MappingsReader SourceMap::entries() const { return MappingsReader(*object_.getString("mappings")); }

Error SourceMap::check() const {
  MappingsReader reader = entries();
  for (SourceMapEntry entry;;) {
    auto another = reader.next(entry);
    if (!another)
      return fileError(fileName_, toString(another.takeError()));
    if (!*another)
      return Error::success();
  }
}

std::string SourceMap::withMappings(StringRef mappings, StringRef generated) const {
  std::string text;
  raw_string_ostream os(text);
  json::OStream json(os);
  std::vector<const json::Object::value_type *> members;
  for (const auto &member : object_)
    members.push_back(&member);
  llvm::sort(members, [](auto *a, auto *b) { return StringRef(a->first) < StringRef(b->first); });
  json.object([&] {
    for (const auto *member : members) {
      StringRef key = member->first;
      if (key == "mappings")
        json.attribute(key, mappings);
      else if (key == "file")
        json.attribute(key, json::fixUTF8(generated));
      else
        json.attribute(key, member->second);
    }
  });
  return text;
}
