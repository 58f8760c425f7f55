//===- NodeAnswer.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NodeAnswer.h"
#include "RecordSession.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace warpo;

/// 64-bit numbers are strings, as JavaScript's numbers are too small.
static bool parseNumber(const json::Object &object, StringRef key, uint64_t &number) {
  auto text = object.getString(key);
  return text && !text->getAsInteger(10, number);
}

static std::optional<ResultValue> parseValue(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  auto name = object ? object->getString("type") : std::nullopt;
  if (!name)
    return std::nullopt;
  ResultValue result{StringSwitch<ValueType>(*name)
                         .Case("i32", ValueType::i32)
                         .Case("i64", ValueType::i64)
                         .Case("f32", ValueType::f32)
                         .Case("f64", ValueType::f64)
                         .Default(ValueType::other),
                     0};
  if (result.type != ValueType::other && !parseNumber(*object, "bits", result.bits))
    return std::nullopt;
  return result;
}

static std::optional<OpenCall> parseOpenCall(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  auto id = object ? object->getInteger("id") : std::nullopt;
  OpenCall call;
  if (!id || !parseNumber(*object, "module", call.module))
    return std::nullopt;
  call.id = int32_t(*id);
  return call;
}

/// Parses the members of an array and appends them; false if one of them is malformed.
template <typename T>
static bool parseList(const json::Object &object, StringRef key, std::vector<T> &list,
                      std::optional<T> (*parse)(const json::Value &)) {
  const json::Array *array = object.getArray(key);
  if (!array)
    return object.get(key) == nullptr;
  for (const json::Value &value : *array) {
    std::optional<T> item = parse(value);
    if (!item)
      return false;
    list.push_back(std::move(*item));
  }
  return true;
}

static std::optional<TrapFrame> parseFrame(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  auto function = object ? object->getInteger("function") : std::nullopt;
  auto offset = object ? object->getInteger("offset") : std::nullopt;
  if (!function || !offset)
    return std::nullopt;
  TrapFrame frame;
  frame.name = object->getString("name").value_or("").str();
  frame.function = uint32_t(*function);
  frame.offset = uint64_t(*offset);
  return frame;
}

static std::optional<std::string> parseText(const json::Value &value) {
  auto text = value.getAsString();
  return text ? std::optional(text->str()) : std::nullopt;
}

/// False if it is not a number.
static bool parseCount(const json::Object &object, StringRef key, uint64_t &number) {
  auto value = object.getInteger(key);
  number = uint64_t(value.value_or(0));
  return value.has_value();
}

static bool parseRecord(const json::Object &record, RunResult &result) {
  warpo_recorder_counts counts = {};
  warpo_section_counts faults = {};
  if (!parseCount(record, "written", counts.written) ||
      !parseCount(record, "lostToLimit", counts.lost_to_limit) ||
      !parseCount(record, "lostToFailure", counts.lost_to_failure))
    return false;
  // Only for the format warpo.
  parseCount(record, "lostToBuffer", counts.lost_to_buffer);
  parseCount(record, "meaningless", counts.meaningless);
  const json::Object *sections = record.getObject("sections");
  if (sections && !(parseCount(*sections, "endsWithoutBegin", faults.ends_without_begin) &&
                    parseCount(*sections, "neverEnded", faults.never_ended) &&
                    parseCount(*sections, "notUtf8", faults.not_utf8) &&
                    parseCount(*sections, "tooLong", faults.too_long) &&
                    parseCount(*sections, "outOfBounds", faults.out_of_bounds) &&
                    parseCount(*sections, "tooMany", faults.too_many)))
    return false;
  describeRecord(counts, faults, record.getString("error").value_or(""), result);
  return parseList(record, "problems", result.problems, parseText);
}

static bool parseEnd(const json::Object &root, RunResult &result) {
  if (const json::Object *trap = root.getObject("trap")) {
    result.trap.emplace();
    result.trap->message = trap->getString("message").value_or("").str();
    return parseList(*trap, "stack", result.trap->stack, parseFrame) &&
           parseList(root, "openCalls", result.trap->openCalls, parseOpenCall);
  }
  auto code = root.getInteger("exitCode");
  result.exitWith(uint64_t(code.value_or(0)));
  return code && parseList(root, "results", result.results, parseValue);
}

/// `contents` has the bytes of all artifacts, one after another.
static bool parseArtifacts(const json::Object &root, RunResult &result, StringRef contents) {
  if (const json::Array *artifacts = root.getArray("artifacts"))
    for (const json::Value &value : *artifacts) {
      const json::Object *object = value.getAsObject();
      auto size = object ? object->getInteger("size") : std::nullopt;
      if (!size || *size < 0 || uint64_t(*size) > contents.size())
        return false;
      auto text = [&](StringRef key) { return object->getString(key).value_or("").str(); };
      result.artifacts.push_back({text("format"), text("extension"), text("description"),
                                  contents.take_front(size_t(*size)).str()});
      contents = contents.drop_front(size_t(*size));
    }
  return parseList(root, "artifactProblems", result.artifactProblems, parseText);
}

Expected<RunResult> warpo::parseNodeAnswer(StringRef text, StringRef artifacts) {
  auto parsed = json::parse(text);
  if (!parsed)
    return parsed.takeError();
  const json::Object *root = parsed->getAsObject();
  if (!root)
    return makeError("the host's report is not an object");
  if (auto failure = root->getString("failure"))
    return makeError(*failure);
  RunResult result;
  result.instrumented = root->getBoolean("instrumented").value_or(false);
  if (uint64_t fuel; parseNumber(*root, "fuel", fuel))
    result.fuel = fuel;
  if (uint64_t time; parseNumber(*root, "runNanoseconds", time))
    result.runNanoseconds = time;
  const json::Object *record = root->getObject("record");
  if (!parseEnd(*root, result) || (record && !parseRecord(*record, result)))
    return makeError("the host's report is not understood: " + text);
  if (!parseArtifacts(*root, result, artifacts))
    return makeError("the host's report is not understood: " + text);
  return result;
}
