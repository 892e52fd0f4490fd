// What went wrong, by its name: of statuses, of whatever is thrown on the way, and in the server's own words.
import { expect, it } from "vitest";
import {
  Fault,
  type FaultKind,
  faultOf,
  faultOfStatus,
  isFinal,
} from "../../../src/edges/live/faults.ts";
import { guardedly } from "../../../src/edges/live/guardedFetch.ts";

it.each<[number, string, FaultKind]>([
  [404, "no model", "missing"],
  [401, "who are you", "denied"],
  [403, "not you", "denied"],
  [429, "slowly", "busy"],
  [503, "later", "busy"],
  [400, "what", "rejected"],
  [422, "what", "rejected"],
  [302, "elsewhere", "rejected"],
  [500, "oh", "server"],
  [502, "oh", "server"],
  [500, "model requires more system memory (8 GiB)", "memory"],
  [500, "CUDA error: out of memory", "memory"],
  [500, "due to resource limitations or an internal error", "memory"],
  [500, "cudaMalloc failed", "memory"],
])("[LV6] the status %i with %j is %s", (status, words, kind) => {
  expect(faultOfStatus(status, words)).toMatchObject({ kind, message: `${status}: ${words}` });
});

it("[LV6] a server that is too busy says for how long; of no other is that taken", () => {
  const rests = [429, 503, 500, 404].map((status) => faultOfStatus(status, "x", 7).restMs);
  expect(rests).toEqual([7, 7, 0, 0]);
});

const coded = (code: string) => Object.assign(new Error(code), { code });
const failed = (cause: unknown) => new TypeError("fetch failed", { cause });
const named = (name: string) => Object.assign(new Error("over"), { name });

it.each<[unknown, before: FaultKind, within: FaultKind]>([
  [failed(coded("ECONNREFUSED")), "refused", "refused"],
  [failed(new AggregateError([new Error("x"), coded("ECONNREFUSED")])), "refused", "refused"],
  [failed(coded("ENOTFOUND")), "unreachable", "unreachable"],
  [failed(coded("EAI_AGAIN")), "unreachable", "unreachable"],
  [failed(coded("EHOSTUNREACH")), "unreachable", "unreachable"],
  [failed(coded("ENETUNREACH")), "unreachable", "unreachable"],
  [failed(new Error("bad port")), "unreachable", "unreachable"],
  [failed(coded("UND_ERR_HEADERS_TIMEOUT")), "timeout", "timeout"],
  [named("TimeoutError"), "timeout", "timeout"],
  [named("AbortError"), "cancelled", "cancelled"],
  [failed(coded("ECONNRESET")), "gone", "truncated"],
  [new TypeError("terminated"), "gone", "truncated"],
  [new Error("Did not receive done or success response in stream."), "truncated", "truncated"],
  [new SyntaxError("Unexpected token"), "garbage", "garbage"],
  [new Error("the runner said no"), "server", "midstream"],
  ["a word", "server", "midstream"],
  [new Error("wrapped", { cause: new Fault("busy", "later") }), "busy", "busy"],
])("[LV6] %s is %s before an answer began, and %s within it", (thrown, before, within) => {
  expect([faultOf(thrown, false).kind, faultOf(thrown, true).kind]).toEqual([before, within]);
});

it("[LV6] denied and rejected calls, and those that we ended, are not asked again", () => {
  const kinds: readonly FaultKind[] = [
    ...([
      "refused",
      "unreachable",
      "gone",
      "timeout",
      "truncated",
      "midstream",
      "garbage",
    ] as const),
    ...([
      "empty",
      "missing",
      "denied",
      "rejected",
      "busy",
      "memory",
      "server",
      "cancelled",
    ] as const),
  ];
  expect(kinds).toHaveLength(15);
  const final = kinds.filter((kind) => isFinal(new Fault(kind, "x")));
  expect(final).toEqual(["denied", "rejected", "cancelled"]);
});

it.each<[body: string, said: string]>([
  ['{"error": "no such"}', "no such"],
  ['{"error": {"message": "no such"}}', "no such"],
  ['{"message": "no such"}', "no such"],
  ['{"detail": "no such"}', "no such"],
  ['{"error": "", "detail": "no such"}', "no such"],
  ["<html>\nno<br>such</html>", "no such"],
  [JSON.stringify({ error: "x".repeat(2_001) }), "x".repeat(2_000)],
  ["x".repeat(2_001), "x".repeat(2_000)],
  ["", "Bad"],
])("[LV6] [LV22] of the body %j a person is told %j", async (body, said) => {
  const fetch = async () => new Response(body, { status: 400, statusText: "Bad" });
  const asked = guardedly({ fetch, timeoutMs: 1_000 }, (hooked) => hooked("http://x/"));

  await expect(asked).rejects.toMatchObject({ kind: "rejected", message: `400: ${said}` });
});
