// SPDX-License-Identifier: Apache-2.0
// The counters of instrumented code (include/warpo/Wasm/Counters.h), as an instance exports them: functions that read
// and set a counter or, with --export-globals, the global itself.

const EXPORTS = {
  fuel: { getter: "__warpo_get_fuel", setter: "__warpo_set_fuel", global: "__warpo_fuel" },
  fuelLimit: {
    getter: "__warpo_get_fuel_limit",
    setter: "__warpo_set_fuel_limit",
    global: "__warpo_fuel_limit",
  },
  sampleDue: {
    getter: "__warpo_get_sample_due",
    setter: "__warpo_set_sample_due",
    global: "__warpo_sample_due",
  },
  recording: {
    getter: "__warpo_get_recording",
    setter: "__warpo_set_recording",
    global: "__warpo_recording",
  },
};

/** A module that counts fuel has one of these exports. */
export const FUEL_EXPORTS = [EXPORTS.fuel.getter, EXPORTS.fuel.global];
/** A module that asks for samples has one of these. */
export const DUE_EXPORTS = [EXPORTS.sampleDue.getter, EXPORTS.sampleDue.global];

/** A counter of the instance with these exports, as an object whose `value` is a bigint; undefined if it has none. */
export function counterOf(exports, name) {
  const { getter, setter, global } = EXPORTS[name];
  const { [getter]: get, [setter]: set } = exports ?? {};
  if (typeof get === "function" && typeof set === "function")
    return {
      get value() {
        return get();
      },
      set value(value) {
        set(value);
      },
    };
  const exported = exports?.[global];
  return typeof exported?.value === "bigint" ? exported : undefined;
}
