import { describe, expect, it } from "vitest";
import type { EventType, Json } from "../../src/machines/letter.ts";
import type { PortRequest, Provider } from "../../src/substrate/port.ts";
import { sharedPorts } from "../../src/substrate/sharedPorts.ts";

const PORT = "port/person.decide";

/** Says its own name, and counts. */
function counting(name: string, asks?: readonly EventType[]): Provider {
  let count = 0;
  return {
    ...(asks && { asks }),
    answer: () => {
      count += 1;
      return { event: { type: "person.decided", decision: `${name} ${count}` }, latencyMs: 0 };
    },
    persist: () => count,
    restore: (kept: Json) => {
      count = Number(kept);
    },
  };
}

const asked = (type: "person.asked" | "approval.asked"): PortRequest =>
  ({ port: PORT, event: { type } }) as unknown as PortRequest; // All that the desk looks at.

const said = (provider: Provider | undefined, type: "person.asked" | "approval.asked") =>
  provider?.answer(asked(type))?.event;

describe("a port of several parts", () => {
  const both = () => [
    { [PORT]: counting("synt", ["person.asked"]) },
    { [PORT]: counting("installs", ["approval.asked"]) },
  ];

  it("[INS140] asks each part its own questions, whichever stands there last", () => {
    for (const all of [both(), both().toReversed()]) {
      const desk = sharedPorts(all)[PORT];

      expect(said(desk, "person.asked")).toMatchObject({ decision: "synt 1" });
      expect(said(desk, "approval.asked")).toMatchObject({ decision: "installs 1" });
    }
  });

  it("[INS140] keeps for a checkpoint what each of them keeps", () => {
    const before = sharedPorts(both())[PORT];
    said(before, "approval.asked");
    said(before, "approval.asked");
    const after = sharedPorts(both())[PORT];
    after?.restore?.(before?.persist?.() ?? null);

    expect(said(after, "approval.asked")).toMatchObject({ decision: "installs 3" });
    expect(said(after, "person.asked")).toMatchObject({ decision: "synt 1" });
  });

  it("[INS140] is one provider's alone where it stands alone, or where one does not say what it is asked", () => {
    const alone = counting("synt", ["person.asked"]);
    const any = counting("any");

    expect(sharedPorts([{ [PORT]: alone }])[PORT]).toBe(alone);
    expect(sharedPorts([{ [PORT]: alone }, { [PORT]: any }])[PORT]).toBe(any);
  });
});
