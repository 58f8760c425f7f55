//===- NodeAnswer.cpp -----------------------------------------------------===//

#include "NodeAnswer.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace warpo;

/// 64-bit numbers come as text: JavaScript's own numbers do not hold them.
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

/// Appends what `parse` makes of the array's members; false if one of them is of another shape.
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

static std::optional<std::string> parseText(const json::Value &value) {
  auto text = value.getAsString();
  return text ? std::optional(text->str()) : std::nullopt;
}

/// False if there is something that is no number.
static bool parseSections(const json::Object &object, SectionFaults &faults) {
  auto parse = [&](StringRef key, uint64_t &number) {
    auto value = object.getInteger(key);
    number = uint64_t(value.value_or(0));
    return value.has_value();
  };
  return parse("endsWithoutBegin", faults.endsWithoutBegin) &&
         parse("neverEnded", faults.neverEnded) && parse("notUtf8", faults.notUtf8) &&
         parse("tooLong", faults.tooLong) && parse("outOfBounds", faults.outOfBounds) &&
         parse("tooMany", faults.tooMany);
}

static bool parseRecord(const json::Object &record, RunResult &result) {
  auto written = record.getInteger("written"), limit = record.getInteger("lostToLimit"),
       failure = record.getInteger("lostToFailure");
  if (!written || !limit || !failure)
    return false;
  result.recorded = uint64_t(*written);
  result.lostToLimit = uint64_t(*limit);
  result.lostToFailure = uint64_t(*failure);
  result.recordError = record.getString("error").value_or("").str();
  const json::Object *sections = record.getObject("sections");
  return (!sections || parseSections(*sections, result.sections)) &&
         parseList(record, "guestStackProblems", result.guestStackProblems, parseText);
}

static bool parseEnd(const json::Object &root, RunResult &result) {
  if (const json::Object *trap = root.getObject("trap")) {
    result.trap.emplace();
    result.trap->message = trap->getString("message").value_or("").str();
    return parseList(*trap, "stack", result.trap->stack, parseText) &&
           parseList(root, "openCalls", result.trap->openCalls, parseOpenCall);
  }
  auto code = root.getInteger("exitCode");
  // A process keeps the low byte of its exit code.
  result.exitCode = int(code.value_or(0) & 0xff);
  return code && parseList(root, "results", result.results, parseValue);
}

Expected<RunResult> warpo::parseNodeAnswer(StringRef text) {
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
  const json::Object *record = root->getObject("record");
  if (!parseEnd(*root, result) || (record && !parseRecord(*record, result)))
    return makeError("the host's report is not understood: " + text);
  if (const json::Object *dump = root->getObject("orderDump")) {
    result.recordIsOrderDump = true;
    result.recordError = dump->getString("error").value_or("").str();
  }
  return result;
}
