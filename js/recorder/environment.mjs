// What the environment says of recording, in Node: docs of the variables in README.md.

/** The value of the first of these variables that is set and not empty. */
export function setting(...names) {
  return names.map((name) => process.env[name]).find((value) => value);
}

function numberSetting(...names) {
  const value = setting(...names);
  if (value === undefined || /^\d+$/.test(value)) return value && Number(value);
  throw new RangeError(`${names[0]} is '${value}', not a number`);
}

/** RecorderOptions, without where the record goes. Throws for a number that is none. */
export const environmentOptions = () => ({
  clock: setting("WARPO_RECORDER_CLOCK"),
  policy: setting("WARPO_RECORDER_POLICY"),
  bufferBytes: numberSetting("WARPO_RECORDER_BUFFER"),
  maxItems: numberSetting("WARPO_RECORDER_MAX_ITEMS", "WARP_TRACING_RECORDER_MAX_ITEMS"),
  maxBytes: numberSetting("WARPO_RECORDER_MAX_BYTES"),
});
