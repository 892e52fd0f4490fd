import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../src/contract/anyText.ts";
import type { Input } from "../../src/substrate/port.ts";
import {
  type ReadRecording,
  RecordingWriter,
  readRecording,
} from "../../src/substrate/recording.ts";

const small: readonly Input[] = [
  {
    kind: "outside",
    seq: 1,
    id: "hello",
    to: "daemon",
    deliveredAt: 0,
    event: { type: "host.message", text: "Grüße\u001f\n" },
  },
  {
    kind: "reply",
    seq: 9,
    port: "port/llm.chat",
    from: "agent/a",
    purpose: "plan",
    nth: 1,
    request: "ab",
    latencyMs: 100,
    deliveredAt: 120,
    event: { type: "llm.replied", text: "{}" },
  },
];

function written(inputs: readonly Input[]) {
  const writer = new RecordingWriter();
  const lines = inputs.map((input) => writer.line(input));
  return { lines, text: lines.join(""), head: writer.head };
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Nothing was lost or changed, as far as the reader can tell on its own. */
const isSound = ({ fault, torn }: ReadRecording) => fault === undefined && !torn;

const event = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((fields) => ({ ...fields, type: "said" }));
const times = { seq: fc.nat(), deliveredAt: fc.nat(), event };
const outside = fc.record({
  kind: fc.constant("outside" as const),
  id: fc.string(),
  to: fc.string(),
  ...times,
});
const reply = fc.record(
  {
    kind: fc.constant("reply" as const),
    port: fc.string(),
    from: fc.string(),
    purpose: fc.string(),
    nth: fc.nat(),
    request: fc.string(),
    latencyMs: fc.nat(),
    choice: fc.string(),
    ...times,
  },
  {
    requiredKeys: [
      "kind",
      "port",
      "from",
      "purpose",
      "nth",
      "request",
      "latencyMs",
      "seq",
      "deliveredAt",
      "event",
    ],
  },
);
const inputsOf = fc.array(fc.oneof(outside, reply) as fc.Arbitrary<Input>, { maxLength: 6 });

describe("a recording", () => {
  it("[RC1] reads as it was written, whatever it holds", () => {
    fc.assert(
      fc.property(inputsOf, (inputs) => {
        const { text, head } = written(inputs);

        expect(readRecording(text)).toEqual({ inputs, head, torn: false });
      }),
    );
  });

  it("[RC1] is one line for each input", () => {
    const breaks = { ...small[0], id: "\n\r\v\f\u0085\u2028\u2029" } as Input;
    const inputs = [...small, breaks];
    const { lines, text } = written(inputs);

    for (const line of lines) expect(line.indexOf("\n")).toBe(line.length - 1);
    expect(readRecording(text).inputs).toEqual(inputs);
  });

  it("[RC2] cut anywhere, keeps its whole lines and says that it is torn", () => {
    const { text, lines } = written(small);
    const bytes = new TextEncoder().encode(text);
    const firstEnd = new TextEncoder().encode(lines[0] ?? "").length;

    for (let length = 0; length < bytes.length; length++) {
      const read = readRecording(textOf(bytes.slice(0, length)));
      expect(read).toMatchObject({
        inputs: length < firstEnd ? [] : small.slice(0, 1),
        torn: length !== 0 && length !== firstEnd,
      });
      expect(read.fault).toBeUndefined();
    }
  });

  it("[RC3] with any one byte changed, is torn or names the line, from which on none is read", () => {
    const { text, lines } = written(small);
    const bytes = new TextEncoder().encode(text);
    const firstEnd = new TextEncoder().encode(lines[0] ?? "").length;
    const unnoticed: string[] = [];

    for (const [at, byte] of bytes.entries()) {
      for (let bit = 1; bit < 256; bit *= 2) {
        const read = readRecording(textOf(bytes.with(at, byte ^ bit)));
        const isReadOn = read.fault !== undefined && read.inputs.length >= read.fault.line;
        if (isSound(read) || isReadOn) unnoticed.push(`byte ${at}, bit ${bit}`);
        if (at < firstEnd - 1) expect(read).toMatchObject({ inputs: [], fault: { line: 1 } });
      }
    }

    expect(unnoticed).toEqual([]);
  });

  it.each([
    ["a line taken out", ([a, , c]: string[]) => [a, c], 2],
    ["the first line taken out", ([, b, c]: string[]) => [b, c], 1],
    ["two lines swapped", ([a, b, c]: string[]) => [a, c, b], 2],
    ["a line twice", ([a, b, c]: string[]) => [a, b, b, c], 3],
    ["an empty line", ([a, b, c]: string[]) => [a, "\n", b, c], 2],
    ["a line of something else", ([a, b, c]: string[]) => [a, '{"hash":"","input":7}\n', b, c], 2],
    ["Windows line ends", (all: string[]) => all.map((line) => line.replace("\n", "\r\n")), 1],
    [
      "another field beside the input",
      ([a, ...rest]: string[]) => [a?.replace("{", '{"x":1,'), ...rest],
      1,
    ],
  ])("[RC4] with %s, names the first bad line", (_what, change, line) => {
    const { lines } = written([...small, { ...small[0], seq: 12 } as Input]);

    const read = readRecording(change(lines).join(""));

    expect(read.fault?.line).toBe(line);
    expect(read.inputs).toHaveLength(line - 1);
  });

  it("[RC4] without its last line reads as sound, and its head tells", () => {
    const { lines, head } = written(small);

    const read = readRecording(lines[0] ?? "");

    expect(isSound(read)).toBe(true);
    expect(read.head).not.toBe(head);
  });

  it("[RC10] a line that lacks a field, or has one of another kind, is a fault, however well it is chained", () => {
    const usage = { model: "m", stop: "stop", promptTokens: 1, answerTokens: 2, wallMs: 3 };
    const attempts = [{ kind: "timeout", error: "late", wallMs: 1 }];
    const [outside, reply] = small;
    const unanswered = { kind: "unanswered", seq: 3, port: "p", from: "a", purpose: "x", nth: 1 };
    const whole: readonly object[] = [
      ...[outside, { ...reply, choice: "plan", usage, attempts }],
      { ...unanswered, request: "r", deliveredAt: 9 },
    ] as readonly object[];
    const isSoundWith = (input: object) => isSound(readRecording(written([input as Input]).text));
    const missed: string[] = [];
    const optional = ["choice", "usage", "attempts"];
    const tried = (name: string, input: object): void => {
      if (isSoundWith(input)) missed.push(name);
    };
    for (const one of whole) {
      expect(isSoundWith(one)).toBe(true);
      for (const name of Object.keys(one)) {
        const { [name]: _, ...rest } = one as { readonly [name: string]: unknown };
        if (!optional.includes(name)) tried(`without ${name}`, rest);
        for (const other of [[], -0.5, true]) tried(`${name} ${other}`, { ...one, [name]: other });
      }
    }
    for (const name of Object.keys(usage))
      tried(`usage.${name}`, { ...reply, usage: { ...usage, [name]: null } });
    for (const name of ["kind", "error"])
      tried(`attempts.${name}`, { ...reply, attempts: [{ ...attempts[0], [name]: 7 }] });
    for (const name of ["latencyMs", "deliveredAt"]) tried(`${name} -1`, { ...reply, [name]: -1 });
    tried("another kind", { ...reply, kind: "answer" });

    // No failed tries are none that is wrong.
    expect(missed).toEqual(["attempts "]);
  });

  it("[RC5] reads garbage without throwing", () => {
    const garbage = fc.oneof(
      anyText({ maxLength: 200 }),
      fc.json({ maxDepth: 2 }).map((json) => `${json}\n`),
      fc.jsonValue({ maxDepth: 2 }).map((input) => `${JSON.stringify({ hash: "0", input })}\n`),
      inputsOf.map((inputs) => written(inputs).text.replaceAll('"', "")),
    );

    fc.assert(
      fc.property(garbage, (text) => {
        const read = readRecording(text);
        expect(isSound(read)).toBe(text === "");
      }),
      { numRuns: 200 },
    );
  });

  it("[RC5] reads a line of endless brackets without throwing", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const line = `{"hash":"0","input":{"kind":"outside","id":"a","to":"b","seq":1,"deliveredAt":0,"event":{"type":"x","deep":${deep}}}}\n`;

    expect(readRecording(line).fault?.line).toBe(1);
  });
});
