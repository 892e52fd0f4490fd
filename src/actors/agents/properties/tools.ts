/** Tools, ghosts and their deployment. Source: seed 000; rulings T2, T7, T8, T11, T13, T14, T16. */

import { worldPromises } from "../../../contract/promises.ts";
import { BROKEN_TOOLS_FILE, TOOLS_FOLDER } from "../../../machines/agents/engine/state.ts";
import { stubFor } from "../../../machines/agents/synthesis/qualityGate.ts";
import type { Carried, MailOf } from "../../../machines/letter.ts";
import { readObject } from "../../../machines/readJson.ts";
import type { SeenEngine } from "../engineMirror.ts";
import { isEngine } from "./seen.ts";

/** Names of the whole entries of the file; none when it is damaged. */
function listedIn(text: string | undefined): string[] {
  const { broken } = readObject(text ?? "") ?? {};
  const entries = (Array.isArray(broken) ? broken : []) as (Partial<Entry> | null)[];
  return entries.flatMap((entry) =>
    typeof entry?.name === "string" &&
    typeof entry.reason === "string" &&
    Number.isSafeInteger(entry.failures) &&
    Number(entry.failures) >= 0
      ? [entry.name]
      : [],
  );
}
type Entry = SeenEngine["broken"][number];

const isListed = ({ broken }: SeenEngine, name: string): boolean =>
  broken.some((entry) => entry.name === name);
const isArchived = (
  { entries }: SeenEngine,
  name: string,
  { forgive }: { readonly forgive: string },
): boolean => forgive === "on-repair" && entries.every((entry) => entry.name !== name);

/** The end of a synthesis that one of these steps turned down. */
const isRejectedAt = (
  event: Carried,
  steps: readonly number[],
): event is MailOf<"synthesis.finished"> =>
  event.type === "synthesis.finished" &&
  event.verdict === "rejected" &&
  steps.includes(event.steps.at(-1)?.step ?? 0);

const isBuiltin = (engine: SeenEngine | undefined, name: string): boolean =>
  engine?.entries.some((entry) => entry.name === name && entry.builtin) ?? false;

function isStub(engine: SeenEngine | undefined, name: string): boolean {
  const description = engine?.entries.find((entry) => entry.name === name)?.description ?? "";
  return engine?.implementations[name]?.code === stubFor(name, description);
}

export const toolProperties = worldPromises({
  "blacklist-holds": {
    says: "A tool that was blacklisted is not routed to again in that cycle.",
    source: "seed 000, Ghost detection; RULINGS T11, T14",
    judge: ({ delivery: { event, seq }, agents: { call, before } }, { router }) => {
      if (event.type !== "call.routed" || !router.skipBroken) return undefined;
      const listed = (call?.routedOn ?? before)?.blacklists[event.agent];
      if (listed === undefined || listed.cycle !== call?.cycle) return undefined;
      if (!listed.names.includes(event.capability)) return true;
      return `${event.agent} was routed to ${event.capability} (#${seq}), blacklisted in this cycle.`;
    },
  },
  "broken-not-routed": {
    says: "A tool of broken_tools.json is not routed to.",
    source: "seed 000, Ghost detection; RULINGS T14",
    judge: ({ delivery: { event, seq }, agents: { call, before } }, { router }) => {
      const broken = (call?.routedOn ?? before)?.broken ?? [];
      if (event.type !== "call.routed" || !router.skipBroken || broken.length === 0)
        return undefined;
      if (broken.every(({ name }) => name !== event.capability)) return true;
      return `${event.agent} was routed to ${event.capability} (#${seq}), which is listed as broken.`;
    },
  },
  "broken-survives-restart": {
    says: "What broken_tools.json lists when the daemon reads it, the engine lists after the restart.",
    source: "seed 000, “This file survives daemon restarts”; RULINGS T11, T12",
    watch: ({ ghosts }) => {
      let read: readonly string[] = [];
      return ({ delivery: { event, from, to }, agents: { after }, world }) => {
        if (to === "files" && event.type === "files.snapshot" && from === "daemon") {
          read = listedIn(world.file(BROKEN_TOOLS_FILE));
          return undefined;
        }
        if (event.type !== "actor.start" || event.machine !== "engine") return undefined;
        if (after === undefined || read.length === 0) return undefined;
        const lost = read.find(
          (name) => !isListed(after, name) && !isArchived(after, name, ghosts),
        );
        if (lost === undefined) return true;
        return `${event.address} started without ${lost}, which broken_tools.json lists.`;
      };
    },
  },
  "capability-names-are-plain": {
    says: "The name of a capability is 1 to 60 of a-z, 0-9 and _.",
    source: "seed 000, Name sanitization; RULINGS T2",
    judge: ({ delivery: { event }, agents: { before, after } }) => {
      const isNew = after !== undefined && after.entries !== before?.entries;
      const deployed =
        event.type === "synthesis.finished" && event.verdict !== "rejected"
          ? [event.capability]
          : [];
      if (!isNew && deployed.length === 0) return undefined;
      const names = [...(isNew ? after.entries.map(({ name }) => name) : []), ...deployed];
      const wrong = names.find((name) => !/^[a-z0-9_]{1,60}$/.test(name));
      return wrong === undefined ? true : `A capability is called ${JSON.stringify(wrong)}.`;
    },
  },
  "nothing-is-failure": {
    says: "With null detection on, a call that returned nothing is a failed step.",
    source: "seed 000, Ghost detection; RULINGS T10",
    judge: ({ delivery: { event } }, { ghosts }) => {
      if (event.type !== "call.finished" || !event.nothing || !ghosts.nullIsFailure) {
        return undefined;
      }
      if (!event.ok) return true;
      return `A call of ${event.capability} returned nothing and counts as a success.`;
    },
  },
  "step-9-removes-both-files": {
    says: "After a failed step 9 neither the .py nor the spec of the deployment is there.",
    source: "seed 000, Auto-test: null return check",
    judge: ({ delivery: { event }, world }) => {
      if (!isRejectedAt(event, [9])) return undefined;
      const name = event.capability;
      const left = [".py", ".json"].filter(
        (ending) => world.file(`${TOOLS_FOLDER}/${name}${ending}`) !== undefined,
      );
      return left.length === 0
        ? true
        : `${name} failed step 9, and its ${left.join(" and ")} stayed.`;
    },
  },
  "one-answer-a-call": {
    says: "No call is answered twice.",
    source: "ours",
    watch: () => {
      const answered = new Set<number>();
      return ({ delivery: { event, re, from, to } }) => {
        if (event.type !== "call.finished" || re === undefined || !isEngine(from)) return undefined;
        if (!answered.has(re)) return answered.add(re) && true;
        return `${to} got a second answer to its call #${re}.`;
      };
    },
  },
  "T7-window": {
    says: "No call reaches a tool that fails its tests.",
    source: "RULINGS T7: the reload comes before the tests, and nothing unregisters the tool",
    expected: "violated",
    watch: () => {
      /** Calls that reached a tool since its code was loaded, and tools that failed since. */
      const reached = new Map<string, number[]>();
      const failed = new Set<string>();
      return ({ delivery: { event, seq }, agents: { call } }) => {
        if (event.type === "synthesis.stepped" && event.step === 6) {
          failed.delete(event.capability);
          return void reached.set(event.capability, []);
        }
        if (event.type === "sandbox.run" && event.purpose === "call") {
          if (failed.has(event.name)) {
            return `${call?.agent}'s call #${call?.seq} reached ${event.name}, which had failed its tests and stayed loaded.`;
          }
          reached.get(event.name)?.push(seq);
        }
        if (!isRejectedAt(event, [8, 9])) return undefined;
        const name = event.capability;
        const [first, ...more] = reached.get(name) ?? [];
        reached.delete(name);
        failed.add(name);
        if (first === undefined) return true;
        return `${name} failed its tests, and ${more.length + 1} calls had reached it meanwhile, the first at #${first}.`;
      };
    },
  },
  "T13-empty-success": {
    says: "A call that looks like success has returned something.",
    source: "seed 000, The safe_file_executor incident; RULINGS T13: not before ghost detection",
    expected: "violated",
    judge: ({ delivery: { event, to } }) => {
      if (event.type !== "call.finished" || !event.ok) return undefined;
      if (!event.nothing) return true;
      return `${to} was told that its call of ${event.capability} succeeded, and it returned nothing.`;
    },
  },
  "T16-swallowed-write": {
    says: "A write that looks like success has changed a file.",
    source: "RULINGS T16: an auto-stub answers, and no detection sees that it did nothing",
    expected: "violated",
    judge: ({ delivery: { event, to }, agents: { call, before } }) => {
      if (event.type !== "call.finished" || !event.ok || event.nothing) return undefined;
      const { capability } = event;
      if (call === undefined || capability === null) return undefined;
      const { path, content } = call.params;
      if (typeof path !== "string" || typeof content !== "string") return undefined;
      if (isBuiltin(before, capability)) return undefined;
      if (call.changed.length > 0) return true;
      const what = isStub(before, capability) ? `the auto-stub ${capability}` : capability;
      return `${to} was told that ${what} served its write to ${path}, and no file was changed.`;
    },
  },
});
