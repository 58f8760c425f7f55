//===- AllKinds.cpp - A plugin with a member of every registry ------------===//

#include "warpo/Engine/Engine.h"
#include "warpo/Engine/GuestStack.h"
#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Order/FunctionOrder.h"
#include "warpo/Order/OrderFile.h"
#include "warpo/Output/DiffBackend.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Output/TimelineBackend.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Report/TableFormat.h"
#include "warpo/Slice/Slicer.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/PluginApi.h"

using namespace llvm;
using namespace warpo;

namespace {

Error none() { return makeError("there is none"); }

template <typename Base> struct File : Base {
  StringRef extension() const override { return ".none"; }
  bool isBinary() const override { return false; }
};

struct AnyRecordFormat : File<RecordFormat> {};

struct AnySlicer : Slicer {
  void process(const RecordBatch &, EventBuilder &) override {}
};

struct AnyTimeline : File<CallTimeline> {
  Error begin(const TimelineInfo &, const TimelineOptions &, raw_ostream &) override {
    return none();
  }
  Error events(const EventBatch &) override { return none(); }
  Error finish() override { return none(); }
  TimelineSummary summary() const override { return {}; }
};

struct AnyProfile : File<ProfileBackend> {
  Error write(const Profile &, raw_ostream &) override { return none(); }
};

struct AnyDiff : File<DiffBackend> {
  Error write(const ProfileDiff &, StringRef, raw_ostream &) override { return none(); }
};

struct AnySavedProfile : ProfileFormat {
  bool sniff(ArrayRef<uint8_t>) const override { return false; }
  Expected<Profile> read(ArrayRef<uint8_t>, StringRef) override { return none(); }
};

struct AnyTable : TableFormat {
  void write(const Table &, const TableStyle &, raw_ostream &) override {}
};

struct AnyOrder : FunctionOrder {
  Expected<std::vector<uint32_t>> order(const OrderModule &, ArrayRef<OrderRun>) const override {
    return none();
  }
};

struct AnyOrderFile : OrderFile {
  Error write(const ComputedOrder &, const OrderFileOptions &, raw_ostream &,
              std::vector<std::string> &) const override {
    return none();
  }
};

struct AnyInstrumentation : Instrumentation {
  Error declare(ModuleDeclarations &) override { return none(); }
};

struct AnyEngine : Engine {
  Expected<RunResult> run(const RunRequest &) override { return none(); }
};

struct AnyGuestStack : GuestStack {
  bool suits(const wasm::Module &) const override { return false; }
  Error read(StoppedInstance &, GuestFrames &) override { return none(); }
};

constexpr char name[] = "none-such", description[] = "of a plugin";

warpo::Registry<DiffBackend>::Add<AnyDiff> diff(name, description);
warpo::Registry<Engine>::Add<AnyEngine> engine(name, description);
warpo::Registry<FunctionOrder>::Add<AnyOrder> order(name, description);
warpo::Registry<GuestStack>::Add<AnyGuestStack> guestStack(name, description);
warpo::Registry<Instrumentation>::Add<AnyInstrumentation> instrumentation(name, description);
warpo::Registry<OrderFile>::Add<AnyOrderFile> orderFile(name, description);
warpo::Registry<ProfileBackend>::Add<AnyProfile> profile(name, description);
warpo::Registry<ProfileFormat>::Add<AnySavedProfile> savedProfile(name, description);
warpo::Registry<RecordFormat>::Add<AnyRecordFormat> recordFormat(name, description);
warpo::Registry<Slicer>::Add<AnySlicer> slicer(name, description);
warpo::Registry<TableFormat>::Add<AnyTable> table(name, description);
warpo::Registry<TimelineBackend>::Add<AnyTimeline> timeline(name, description);

} // namespace

WARPO_PLUGIN("all-kinds", "1.0")
