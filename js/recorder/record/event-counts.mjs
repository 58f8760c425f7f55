// SPDX-License-Identifier: Apache-2.0
// How many events a record has, and how many it lacks for which reason: RecorderCounts (recorder.d.ts).

export class EventCounts {
  written = 0;
  lostToBuffer = 0;
  lostToLimit = 0;
  lostToFailure = 0;
  meaningless = 0;

  /** How many are missing. */
  get lost() {
    return this.lostToBuffer + this.lostToLimit + this.lostToFailure + this.meaningless;
  }
}
