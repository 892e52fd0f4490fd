// Letters of attached parts that no compiler has checked: what has not the shape of its event counts as no answer.
import { describe, expect, it } from "vitest";
import type { EngineState } from "../../../src/machines/agents/engine/state.ts";
import type { AgentHooks } from "../../../src/machines/agents/hooks.ts";
import { ask, type EventType, type Mail } from "../../../src/machines/letter.ts";
import { seconds } from "../../../src/machines/units.ts";
import { narrate } from "../../builtIn.ts";
import { everyHook } from "../../hooks.ts";
import { carrying, mailIn, mailOf, strangeEvent } from "../../mail.ts";
import { office, PAGE, type Says } from "./clerk.ts";

/** What a part in JavaScript might say. */
const strange = <K extends EventType>(word: unknown): Mail[K] => word as Mail[K]; // That it is none is the point.

const only = (...hooks: readonly (keyof AgentHooks)[]): AgentHooks =>
  Object.fromEntries(hooks.map((hook) => [hook, everyHook[hook]]));
const told = ({ log }: ReturnType<typeof office>) => log.map((delivery) => narrate(delivery));

/** Up to the end of cedar's first call, of the one step of its plan. */
function firstCall(hooks: AgentHooks, says: Says, policy = {}) {
  const order = { intent: "order stationery supplies quantity", params: { item: "ink" } };
  const write = {
    intent: "write regular file path content",
    params: { path: PAGE, content: "Ink." },
  };
  const steps = [hooks.builtins === undefined ? write : order];
  const here = office({ hooks, says, steps, policy });
  const end = here.until(({ to, event }) => to === "agent/cedar" && event.type === "call.finished");
  return { here, end, finished: mailOf(end, "call.finished") };
}

describe("what an attached actor answers", () => {
  it.each([
    [{}],
    [{ ok: "yes" }],
    [{ ok: false, error: 3 }],
    [{ ok: true, changed: [PAGE] }],
    [{ ok: true, changed: { [PAGE]: 3 } }],
    [{ ok: true, created: PAGE }],
  ])("[HK15] a call that is answered with %j has failed, at once", (word) => {
    const says = { capability: strange<"capability.answered">(word) };
    const { here, end, finished } = firstCall(only("builtins"), says);

    expect(finished).toMatchObject({ ok: false, error: "what clerk answered could not be read" });
    expect(end.dueMs).toBeLessThan(seconds(60));
    expect(here.context<EngineState>("engine").failures).toEqual({ order_supplies: 1 });
    expect(told(here)).toContain("clerk sent engine an answer which could not be read.");
  });

  it.each([[{ granted: "yes", reason: null }], [{ granted: false, reason: 3 }], [{}]])(
    "[HK15] the permission %j refuses, unless the policy allows",
    (word) => {
      const says = { permission: strange<"permission.answered">(word) };
      const allow = { "hooks.permissionSilence": "allow" };
      const refused = firstCall(only("permissions"), says);
      const allowed = firstCall(only("permissions"), says, allow);

      expect(refused.finished.error).toBe("PermissionError: what clerk answered could not be read");
      expect(allowed.finished.ok).toBe(true);
      expect(told(refused.here)).toContain("clerk sent engine an answer which could not be read.");
    },
  );

  it.each([
    [{ title: 3, lines: ["Dry the page."] }],
    [{ title: "PLAYBOOK", lines: "Dry the page." }],
    [{ title: "PLAYBOOK", lines: [null] }],
    [{ title: "PLAYBOOK", lines: [], nudges: [{ text: "Did you order ink?" }] }],
    [{ title: "PLAYBOOK", lines: [], nudges: null }],
  ])("[HK15] the agent goes on at once without the section %j", (word) => {
    const says = { section: strange<"section.answered">(word) };
    const { here, end, finished } = firstCall(only("sections"), says);

    expect(finished.ok).toBe(true);
    expect(end.dueMs).toBeLessThan(seconds(60));
    expect(carrying(here.log, "section.answered").length).toBeGreaterThan(0);
    expect(here.views.some((view) => "sections" in view || "nudges" in view)).toBe(false);
    expect(told(here)).toContain("clerk sent cedar a section which could not be read.");
  });

  it.each([
    [{ entries: [null] }],
    [{ entries: [{ name: 3, description: "Boils." }] }],
    [{ entries: [{ name: "iron_gall_ink" }] }],
    [{ entries: [{ name: "iron_gall_ink", description: "Boils.", reads: 3 }] }],
    [{ entries: [{ name: "iron_gall_ink", description: "Boils.", runs: "yes" }] }],
    [{ entries: { length: 1 } }],
    [{ entries: [], judges: "yes" }],
    [{ entries: [], kind: 3 }],
  ])("[HK15] the list of entries %j changes nothing", (fields) => {
    const listed = [{ name: "lamp_black", description: "Grinds soot into black ink." }];
    const here = office({ hooks: only("kinds"), says: { entries: listed } });
    const before = here.context<EngineState>("engine").entries;
    const event = strangeEvent("entries.listed", { kind: "recipe", ...fields });
    here.tell({ to: "engine", event });

    expect(before.at(-1)?.name).toBe("lamp_black");
    expect(here.context<EngineState>("engine").entries).toEqual(before);
    expect(told(here)).toContain("clerk sent engine a list of entries which could not be read.");
  });
});

describe("what an attached actor asks of the daemon", () => {
  it.each([
    [{ name: 3 }],
    [{ name: "scout", goal: "text" }],
    [{ name: "scout", goal: { slug: "page", text: "Scout the north" } }],
    [{ name: "scout", profile: { traits: "curious", opinions: [], questions: [] } }],
    [{ name: "scout", profile: { traits: [], opinions: [{ opinion: "so" }], questions: [] } }],
    [{ name: "scout", profile: { traits: [], opinions: [], questions: [3] } }],
    [{ name: "scout", message: "Look north." }],
  ])("[HK15] no agent is born for %j, and the answer says why", (fields) => {
    const here = office({ hooks: only("births") });
    here.tell(ask({ to: "daemon", key: "birth", event: strangeEvent("birth.asked", fields) }));

    expect(mailIn(here.log, "birth.answered")).toMatchObject([
      { address: null, reason: "what was asked could not be read" },
    ]);
    expect(told(here)).toContain(
      "clerk sent daemon a request for a birth which could not be read.",
    );
  });

  it.each([[{ name: null, reason: "done" }], [{ name: "scout" }]])(
    "[HK15] no agent is ended for %j, and the answer says why",
    (fields) => {
      const here = office({ hooks: only("births") });
      here.tell(
        ask({ to: "daemon", key: "birth", event: { type: "birth.asked", name: "scout" } }),
        ask({ to: "daemon", key: "end", event: strangeEvent("end.asked", fields) }),
      );

      expect(mailIn(here.log, "end.answered")).toMatchObject([
        { ok: false, reason: "what was asked could not be read" },
      ]);
      expect(here.kernel.contexts()).toHaveProperty("agent/scout");
      expect(told(here)).toContain(
        "clerk sent daemon a request for an end which could not be read.",
      );
    },
  );
});
