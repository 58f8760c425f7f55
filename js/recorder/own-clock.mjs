// The clock as it is when the recorder is loaded: a host may change afterwards what its program sees.

export const { performance } = globalThis;
