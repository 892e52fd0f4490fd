import { describe, expect, it } from "vitest";
import { desksOf } from "../../src/edges/play/gates.ts";
import type { MailOf } from "../../src/machines/letter.ts";
import type { PortRequest, Provider } from "../../src/substrate/port.ts";

const port = "port/person.decide";

const saying = (decision: string): Provider => ({
  answer: () => ({ event: { type: "person.decided", decision }, latencyMs: 0 }),
});

const asked = (type: "person.asked" | "approval.asked" | "llm.asked"): PortRequest =>
  ({ port, event: { type } }) as unknown as PortRequest; // All that the desk looks at.

describe("one desk for the gates of several parts", () => {
  const [[at, desk] = []] = desksOf([
    { port, asks: "person.asked", provider: saying("synt") },
    { port, asks: "approval.asked", provider: saying("installs") },
  ]);
  const said = (type: Parameters<typeof asked>[0]) =>
    desk?.answer(asked(type))?.event as MailOf<"person.decided">; // What both of them say.

  it("[INS140] hands each question to the part that asks it", () => {
    expect(at).toBe(port);
    expect([said("person.asked").decision, said("approval.asked").decision]).toEqual([
      "synt",
      "installs",
    ]);
  });

  it("[INS140] takes no question that no part asks", () => {
    expect(() => said("llm.asked")).toThrow("no part asks llm.asked");
  });
});
