import fc from "fast-check";
import { expect, it } from "vitest";
import { PortFailed } from "../../src/edges/errors.ts";
import type { PortName } from "../../src/index.ts";
import { canonicalJson } from "../../src/substrate/canonicalJson.ts";
import { checkedAnswer, portNames } from "../builtInRuns.ts";
import { Premise } from "../premise.ts";

const question = (purpose: string) => ({ purpose, from: "agent/cedar", nth: 2 });
const syntax = { ok: true, functions: [], module: "code" };
const reach = { imports: ["os"], calls: ["os.getcwd"], opensToWrite: false };

it.each<[PortName, string, unknown]>([
  ["port/llm.chat", "plan", ""],
  ["port/llm.chat", "plan", { text: "x", usage: { model: "m", promptTokens: 0, answerTokens: 9 } }],
  ["port/llm.embed", "route", { vectors: [[0.5, -1]] }],
  ["port/sandbox.run", "call", { ok: true, result: { a: [null] }, functionName: null }],
  ["port/sandbox.run", "exec", { ok: false, error: "SyntaxError", timedOut: false }],
  ["port/sandbox.run", "call", { ok: true, changed: { "/agentOS/a": null }, created: [] }],
  ["port/shell.run", "command", { exitCode: 0, stdout: "", stderr: "", reads: ["/agentOS/a"] }],
  ["port/shell.run", "command", { exitCode: 1, stdout: "", stderr: "no", fault: "too long" }],
  ["port/python.parse", "gate", syntax],
  ["port/python.parse", "profile", { ...syntax, ...reach }],
  [
    "port/python.parse",
    "profile",
    {
      ...{ ...syntax, ...reach, hidden: ["eval"] },
      functions: [
        { name: "f", firstArgument: null, inClass: false, isAsync: true, body: "code" },
        { name: "g", firstArgument: "a", inClass: true, body: "pass" },
      ],
    },
  ],
  ["port/tool.call", "invoke_claude", { ok: true, result: null }],
  ["port/tool.call", "invoke_claude", { ok: false, error: "busy" }],
  ["port/person.decide", "chain", { decision: "approve" }],
  ["port/person.decide", "chain", { decision: "amend", feedback: "shorter", target: "compose" }],
  ["port/person.decide", "soft-cap", { decision: "discard" }],
  ["port/person.decide", "install", { decision: "reject", feedback: "too wide" }],
  ["port/person.decide", "install", { decision: "none" }],
  [
    "port/person.decide",
    "proposals",
    { decisions: [{ request: "req-0001", decision: "approve" }] },
  ],
  ["port/executor.run", "turn", { ok: true, cents: 3 }],
  ["port/sign", "sign", { signature: "00ff", key: "ab" }],
  ["port/sign", "verify", { ok: false }],
])("[LB5] %s takes for %s %j", (port, purpose, answer) => {
  const taken = checkedAnswer(port, question(purpose), answer);

  expect(taken).toEqual(answer);
  // A copy: what the program still holds changes nothing of the run.
  if (typeof answer === "object") expect(taken).not.toBe(answer);
});

it.each<[PortName, string, unknown, RegExp]>([
  [
    "port/sandbox.run",
    "call",
    { result: 1 },
    /sandbox.run ok: found nothing, but it is required; allowed: true \| false/,
  ],
  ["port/sandbox.run", "call", { ok: 1 }, /sandbox.run ok: found 1; allowed: true \| false/],
  ["port/sandbox.run", "call", { ok: true, changed: { "/etc/x": "" } }, /sandbox.run changed/],
  [
    "port/sandbox.run",
    "call",
    { ok: true, result: { at: new Date(0) } },
    /sandbox.run result.at: found a Date; allowed: strict JSON/,
  ],
  [
    "port/sandbox.run",
    "call",
    { ok: true, result: Number.NaN },
    /sandbox.run result: found NaN; allowed: strict/,
  ],
  [
    "port/python.parse",
    "profile",
    syntax,
    /python.parse imports: found nothing, but it is required/,
  ],
  [
    "port/python.parse",
    "gate",
    { ...syntax, module: "x" },
    /python.parse module: found "x"; allowed: pass \| doc/,
  ],
  ["port/tool.call", "research_topic", { ok: true }, /tool.call.* found/],
  [
    "port/tool.call",
    "research_topic",
    "yes",
    /tool.call: found "yes"; allowed: \{ok: true, result\}/,
  ],
  ["port/person.decide", "chain", { decision: "amend" }, /person.decide.*found .*allowed/],
  [
    "port/person.decide",
    "install",
    { decision: "amend", feedback: "x" },
    /person.decide decision: found "amend"; allowed: approve \| reject \| none/,
  ],
  ["port/person.decide", "install", { decision: "discard" }, /found "discard"; allowed: approve/],
  ["port/person.decide", "chain", { decision: "reject" }, /person.decide.*allowed: .*discard/],
  ["port/person.decide", "chain", { decision: "yes" }, /person.decide.*allowed: .*approve/],
  ["port/person.decide", "soft-cap", { decision: "amend", feedback: "x" }, /person.decide/],
  [
    "port/person.decide",
    "proposals",
    { decision: "approve" },
    /found the key "decision"; allowed: decisions/,
  ],
  [
    "port/executor.run",
    "turn",
    { ok: true, cents: 0.5 },
    /executor.run cents: found 0.5; allowed: a whole number 0/,
  ],
  ["port/sign", "sign", { ok: true }, /sign signature: found nothing, but it is required/],
  [
    "port/sign",
    "sign",
    { signature: "xyz", key: "ab" },
    /sign signature: found "xyz"; allowed: hexadecimal/,
  ],
])("[LB5] %s does not take for %s %j", (port, purpose, answer, message) => {
  expect(() => checkedAnswer(port, question(purpose), answer)).toThrow(message);
  expect(() => checkedAnswer(port, question(purpose), answer)).toThrow(
    new RegExp(`\nCorrect the answer to question 2 of agent/cedar for ${purpose}`),
  );
});

it("[LB5] a value that cannot even be read is named as such", () => {
  const hostile = Object.defineProperty({}, "text", {
    enumerable: true,
    get: () => {
      throw new Error("boo");
    },
  });

  expect(() => checkedAnswer("port/llm.chat", question("plan"), hostile)).toThrow(
    /port\/llm.chat: found a value that cannot be read: boo; allowed: strict JSON/,
  );
});

it("[LB5] of any value whatever, a port takes an equal copy or names what is wrong", () => {
  const shapes = fc.record(
    {
      ok: fc.oneof(fc.boolean(), fc.anything()),
      text: fc.anything(),
      vectors: fc.array(fc.array(fc.float())),
      result: fc.anything(),
      error: fc.anything(),
      decision: fc.constantFrom("approve", "amend", "none", 1),
      signature: fc.constantFrom("00", "zz"),
      key: fc.constant("00"),
    },
    { requiredKeys: [] },
  );
  const purposes = fc.constantFrom("plan", "profile", "proposals", "soft-cap", "sign", "verify");
  const right = fc.constantFrom<[PortName, string, object][]>(
    ["port/tool.call", "invoke_claude", { ok: true, result: [{}] }],
    ["port/person.decide", "proposals", { decisions: [{ request: "r", decision: "approve" }] }],
    ["port/sign", "sign", { signature: "00ff", key: "ab" }],
  );
  const drawn = fc.tuple(
    fc.constantFrom(...portNames),
    purposes,
    fc.oneof(fc.anything({ withNullPrototype: true }), shapes, fc.string()),
  );
  const isTaken = new Premise();

  fc.assert(
    fc.property(
      fc.oneof({ arbitrary: drawn, weight: 9 }, { arbitrary: right, weight: 1 }),
      ([port, purpose, answer]) => {
        const isMap = typeof answer === "object" && answer !== null;
        try {
          const taken = checkedAnswer(port, question(purpose), answer);
          expect(canonicalJson(taken)).toBe(canonicalJson(answer));
          if (isTaken.holds(isMap)) expect(taken).not.toBe(answer);
        } catch (thrown) {
          isTaken.holds(false);
          if (!(thrown instanceof PortFailed)) throw thrown;
          expect(thrown.message).toMatch(new RegExp(`^${port}`));
        }
      },
    ),
    { numRuns: 500 },
  );
  isTaken.expectAtLeast(0.05);
});
