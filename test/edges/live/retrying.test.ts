import { expect, it, vi } from "vitest";
import { Fault, type FaultKind } from "../../../src/edges/live/faults.ts";
import { guardedly } from "../../../src/edges/live/guardedFetch.ts";
import { failureText, isCancelled, tried, turnstile } from "../../../src/edges/live/retrying.ts";
import { looked, unavailable } from "../../../src/edges/live/serverLook.ts";
import { redactor } from "../../../src/edges/redaction.ts";

/** How long each rest was meant to be; a short one is over at once. */
const rests = vi.hoisted(() => [] as number[]);
vi.mock("node:timers/promises", async (original) => {
  const { setTimeout: rest } = await original<typeof import("node:timers/promises")>();
  return {
    setTimeout: (ms: number, value: unknown, how: object) => {
      rests.push(ms);
      return rest(ms < 1_000 ? 0 : ms, value, how);
    },
  };
});

const options = (retries: number, backoffMs = 0) => ({
  policy: { retries, backoffMs },
  redactor: redactor({}),
  signal: new AbortController().signal,
});

/** Fails with these, one after the other, then says "ok". */
function failing(...kinds: FaultKind[]) {
  let count = 0;
  return async (): Promise<string> => {
    const kind = kinds[count++];
    if (kind !== undefined) throw new Fault(kind, `at http://box.lan:1/: ${kind}`);
    return "ok";
  };
}

it("[LV6] a call is tried again as often as the policy says; every failure is kept", async () => {
  const { value, attempts } = await tried(failing("server", "timeout"), options(2));

  expect(value).toBe("ok");
  expect(attempts.map(({ kind, error }) => [kind, error])).toEqual([
    ["server", "at <address> server"],
    ["timeout", "at <address> timeout"],
  ]);
});

it("[LV13] what went wrong is kept without the secrets in it", async () => {
  const key = `sk-${"a1b2c3d4".repeat(5)}`;
  const said = () => Promise.reject(new Fault("server", `no ${key} here`));

  expect((await tried(said, options(0))).attempts[0]?.error).toBe("no [key 1 removed] here");
});

it("[LV6] after the last try the call has failed, as its last failure says", async () => {
  const { value, attempts } = await tried(failing("busy", "memory", "server"), options(1));

  expect(value).toBeUndefined();
  expect(attempts.map(({ kind }) => kind)).toEqual(["busy", "memory"]);
  expect(failureText(attempts)).toBe("memory: at <address> memory");
});

const isTriedAgain: Record<FaultKind, boolean> = {
  ...{ refused: true, unreachable: true, gone: true, timeout: true, truncated: true },
  ...{ midstream: true, garbage: true, empty: true, missing: true, busy: true, memory: true },
  ...{ server: true, denied: false, rejected: false, cancelled: false },
};
const kinds = Object.entries(isTriedAgain) as [FaultKind, boolean][];

it("[LV6] there are fifteen names", () => {
  expect(kinds).toHaveLength(15);
});

it.each(kinds.filter(([, again]) => again))("[LV6] %s is tried again", async (kind) => {
  expect((await tried(failing(kind), options(1))).value).toBe("ok");
});

it.each(kinds.filter(([, again]) => !again))("[LV6] %s is not tried again", async (kind) => {
  const { value, attempts } = await tried(failing(kind), options(5));

  expect([value, attempts.length]).toEqual([undefined, 1]);
  expect(isCancelled(attempts)).toBe(kind === "cancelled");
});

const words = {
  ...{
    host: "HOST",
    server: "a server",
    speaks: "as we do",
    start: "Start it.",
    another: "--host",
  },
  letsIn: { allowed: "a key", todo: "Give one." },
};
const passing: readonly FaultKind[] = ["gone", "truncated", "midstream", "busy", "server"];

it.each(kinds.map(([kind]) => kind))(
  "[LV21] before a run %s is asked again where it may pass by itself, and told at once otherwise",
  async (kind) => {
    const asked = looked(words, { retries: 1, backoffMs: 0 }, failing(kind)).catch(() => "told");

    expect(await asked).toBe(passing.includes(kind) ? "ok" : "told");
  },
);

it.each<[string, readonly FaultKind[]]>([
  ["no answer at HOST", ["refused", "unreachable", "timeout"]],
  ["a connection to HOST that broke", ["gone", "truncated"]],
  ["an error of the server at HOST: words", ["server", "midstream", "memory"]],
  ["a server at HOST that is too busy", ["busy"]],
  ["a server at HOST that refuses access", ["denied"]],
  ["something at HOST that does not answer as we do", ["garbage", "empty", "missing", "rejected"]],
])("[LV22] %s is said of %j", (found, those) => {
  for (const kind of those) {
    const { message } = unavailable(words, [{ kind, error: "words", wallMs: 0 }]);
    expect(message, kind).toContain(`--host: found ${found}`);
  }
});

it("[LV6] the rest doubles from try to try, and ends with the run", async () => {
  rests.length = 0;
  await tried(failing("server", "server", "server"), options(3, 20));
  expect(rests).toEqual([20, 40, 80]);

  const over = new AbortController();
  const resting = tried(failing("server"), { ...options(3, 50_000), signal: over.signal });
  setTimeout(() => over.abort(), 10);
  expect((await resting).value).toBeUndefined();
});

it("[LM3] a server is left alone for as long as it asks, a minute at most, and no shorter than the policy says", async () => {
  rests.length = 0;
  const asking = (restMs: number) => {
    const stop = new AbortController();
    const busy = new Fault("busy", "429", restMs);
    const resting = tried(() => Promise.reject(busy), { ...options(1, 20), signal: stop.signal });
    setTimeout(() => stop.abort(), 1);
    return resting;
  };
  for (const restMs of [0, 21, 59_999, 120_000]) await asking(restMs);

  expect(rests).toEqual([20, 21, 59_999, 60_000]);
});

it("[LM3] of `Retry-After` a minute at most is taken, and a date is not", async () => {
  const restOf = async (header: string) => {
    const headers = { "retry-after": header };
    const ask = async () => new Response("", { status: 429, headers });
    const asked = guardedly({ fetch: ask, timeoutMs: 1_000 }, (hooked) => hooked("http://x.test"));
    return asked.catch((thrown: Fault) => thrown.restMs);
  };

  expect(
    await Promise.all(["0.25", "60", "61", "Fri, 31 Dec 2027 23:59:59 GMT"].map(restOf)),
  ).toEqual([250, 60_000, 60_000, 0]);
});

it("[LV4] so many at once, the others in the order in which they came", async () => {
  const inTurn = turnstile(2);
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) =>
    inTurn(async () => {
      log.push(name);
      await new Promise<void>((resolve) => void ends.push(resolve));
      if (name === "b") throw new Error("b fails");
    }).catch(() => log.push("b failed"));
  const all = ["a", "b", "c", "d"].map(work);
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  await settle();
  expect(log).toEqual(["a", "b"]);
  ends[1]?.();
  await settle();
  expect(new Set(log)).toEqual(new Set(["a", "b", "b failed", "c"]));
  for (let end = 0; end < 4; end++) {
    ends[end]?.();
    await settle();
  }
  await Promise.all(all);
  expect(log.at(-1)).toBe("d");
});
