/**
 * Clock, chance and order as a shell sees them, in place of the host's. Installed in the thread before
 * the shell is loaded, because the shell keeps what it finds while loading.
 */
import { createHash } from "node:crypto";
import { namedRandom } from "../../substrate/random.ts";

export interface VirtualHost {
  /** Sets clock and chance for the one run of this thread. */
  open(run: { readonly nowMs: number; readonly seed: number; readonly stepsPerMs: number }): void;
  /** Counts work, which takes virtual time. */
  spend(steps: number): void;
  steps(): number;
  elapsedMs(): number;
}

type Timer = { readonly dueMs: number; readonly nth: number; readonly run: () => void };

/** `onMove` is called when clock or steps have moved, and ends the run if it must. */
export function installVirtualHost(onMove: () => void): VirtualHost {
  const idle = globalThis.setImmediate;
  let startMs = 0;
  let sleptMs = 0;
  let steps = 0;
  let stepsPerMs = 1;
  let draw = namedRandom(0).at("shell", "chance", 1);
  const elapsedMs = (): number => sleptMs + Math.floor(steps / stepsPerMs);
  const nowMs = (): number => startMs + elapsedMs();
  const uint32 = (): number => draw.integer(0, 0xffffffff);

  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [nowMs()] : args, newTarget),
    apply: () => new RealDate(nowMs()).toString(),
    get: (target, name) => (name === "now" ? nowMs : Reflect.get(target, name)),
  });
  Math.random = () => uint32() / 0x1_0000_0000;
  const bytes = <T extends ArrayBufferView>(view: T): T => {
    const all = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let at = 0; at < all.length; at++) all[at] = uint32() & 0xff;
    return view;
  };
  // Node's own digest comes back from another thread at some time; this one at once.
  const digest = async (name: string, data: ArrayBuffer): Promise<ArrayBuffer> =>
    new Uint8Array(createHash(name.replace("-", "")).update(new Uint8Array(data)).digest()).buffer;
  replace("crypto", { getRandomValues: bytes, subtle: { digest } });
  replace("performance", { now: elapsedMs, timeOrigin: 0 });
  // The order of names must not depend on the host's language: as in the C locale.
  String.prototype.localeCompare = function (other: string): number {
    return byCodePoint(String(this), String(other));
  };

  // All that the shell waits for, besides timers, is done before the loop comes round: nothing is
  // busy then, and time goes to the next timer.
  let timers: Timer[] = [];
  let nth = 0;
  let isWaiting = false;
  const pump = (): void => {
    isWaiting = false;
    const next = timers.reduce<Timer | undefined>(
      (first, one) => (first === undefined || isBefore(one, first) ? one : first),
      undefined,
    );
    if (next === undefined) return;
    timers = timers.filter((one) => one !== next);
    sleptMs += Math.max(0, next.dueMs - elapsedMs());
    onMove();
    next.run();
    wait();
  };
  const wait = (): void => {
    if (isWaiting || timers.length === 0) return;
    isWaiting = true;
    idle(pump);
  };
  const set = (run: () => void, ms: number): Timer => {
    const delayMs = Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : 0;
    const timer = { dueMs: elapsedMs() + delayMs, nth: nth++, run };
    timers = [...timers, timer];
    wait();
    return timer;
  };
  const handle = (timer: Timer) => ({ timer, unref: () => {}, ref: () => {} });
  const clear = (given: { readonly timer?: Timer } | null | undefined): void => {
    timers = timers.filter((one) => one !== given?.timer);
  };
  replace("setTimeout", (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    handle(set(() => run(...args), Number(ms))),
  );
  replace("clearTimeout", clear);
  for (const name of ["setInterval", "setImmediate", "fetch", "WebSocket", "EventSource"]) {
    Reflect.deleteProperty(globalThis, name);
  }
  replace("setInterval", () => handle(set(() => {}, 0)));
  replace("clearInterval", clear);

  return {
    open(run) {
      ({ nowMs: startMs, stepsPerMs } = run);
      sleptMs = 0;
      steps = 0;
      draw = namedRandom(run.seed).at("shell", "chance", 1);
    },
    spend(more) {
      steps += more;
      onMove();
    },
    steps: () => steps,
    elapsedMs,
  };
}

const replace = (name: string, value: unknown): void => {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
};

const isBefore = (one: Timer, other: Timer): boolean =>
  one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.nth < other.nth);

/** As bytes of UTF-8 compare. */
export function byCodePoint(one: string, other: string): number {
  const left = [...one];
  const right = [...other];
  for (let at = 0; at < left.length && at < right.length; at++) {
    const between = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0);
    if (between !== 0) return between < 0 ? -1 : 1;
  }
  return Math.sign(left.length - right.length);
}
