/** JavaScript's own clock and entropy, which Pyodide asks too, replaced by those of the call. */
import crypto from "node:crypto";

/** `Date` and `performance` tell the virtual time, in milliseconds. */
export function ownTime(exactMs: () => number): void {
  const RealDate = Date;
  const nowMs = () => Math.floor(exactMs());
  class VirtualDate extends RealDate {
    constructor(...given: ConstructorParameters<typeof Date> | []) {
      super(...((given.length === 0 ? [nowMs()] : given) as [number]));
    }
    static override now(): number {
      return nowMs();
    }
  }
  globalThis.Date = VirtualDate as DateConstructor;
  Object.defineProperty(globalThis, "performance", { value: { now: exactMs } });
}

/** Code that asks for random bytes gets them from `fill`. */
export function ownEntropy(fill: <T extends ArrayBufferView>(view: T) => T): void {
  Object.assign(crypto, { randomFillSync: fill });
  Object.defineProperty(globalThis, "crypto", { value: { getRandomValues: fill } });
}

/** xorshift32 from a stirred seed: cheap, and the same on every machine. Not for secrets. */
export function stirred(seed: number): () => number {
  let state = Math.imul((seed ^ 0x9e3779b9) >>> 0, 0x85ebca6b) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state >>> 8;
  };
}
