/** What is promised of skills in any world. Source: seed 001, path A; rulings K1, K6, K7, K11. */

import { worldPromises } from "../../../contract/promises.ts";
import { contentHash } from "../../../machines/skills/contentHash.ts";
import { SKILLS } from "../../../machines/skills/skillStore.ts";
import type { SkillsPolicy } from "../../../machines/skills/skillsPolicy.ts";
import { NO_SKILLS, type RowSeen, rowsWritten, SkillsMirror } from "./skillsMirror.ts";

const usesOf = (row: RowSeen, { usageCounts }: SkillsPolicy): number =>
  row.usesBefore + row.successes + (usageCounts === "both" ? row.failures : 0);

const stateOf = ({ streak, wasDegraded }: RowSeen, { degradeAfter }: SkillsPolicy): string =>
  wasDegraded || streak >= degradeAfter ? "degraded" : "active";

/** More rows may be refused, for their names are taken. */
function untoldOf(
  unfit: readonly string[],
  told: readonly { readonly skill: string }[],
): string | undefined {
  const untold = unfit.find((name) => !told.some(({ skill }) => skill === name));
  return untold && `the row of ${untold} is none, and nobody is told.`;
}

/** Undefined where both name the same, those apart that may be named or not. */
function unlike(
  what: string,
  there: readonly string[],
  told: readonly string[],
  open: ReadonlySet<string>,
): string | undefined {
  const untold = there.find((name) => !told.includes(name) && !open.has(name));
  if (untold !== undefined) return `${untold} has a ${what}, and nobody is told.`;
  const invented = told.find((name) => !there.includes(name));
  return invented && `${invented} is told to have a ${what}, and it has not.`;
}

export const registryProperties = worldPromises({
  "skills-registry-is-a-recount": {
    says: "Whenever the registry is written, it has the skills, and of each the uses, failures in a row and state, that a recount of the log's calls has.",
    source: "seed 001, Telemetry; RULINGS K6, K7",
    watch: ({ skills: policy }) => {
      const mirror = new SkillsMirror();
      return ({ delivery }) => {
        mirror.observe(delivery);
        const rows = rowsWritten(delivery);
        const counted = mirror.after(delivery.cause);
        if (rows === undefined || counted === undefined) return undefined;
        for (const { name, uses, failures, status } of rows) {
          const row = counted.get(name);
          if (row === undefined)
            return `the registry has a row of ${name}, which the log does not.`;
          const found = `${uses} uses, ${failures} failures in a row, ${status}`;
          const recount = `${usesOf(row, policy)} uses, ${row.streak} failures in a row, ${stateOf(row, policy)}`;
          if (found !== recount) return `${name} is written with ${found}; the log has ${recount}.`;
        }
        const lost = [...counted.keys()].find((name) => !rows.some((row) => row.name === name));
        return lost === undefined ? true : `the registry has no row of ${lost}, which is there.`;
      };
    },
  },
  "skills-row-is-written-last": {
    says: "When a row is new or another, the skill's file lies there already, and is what the row's hash says.",
    source: "seed 001, path A: persisted, then registered",
    watch: () => {
      const mirror = new SkillsMirror();
      return ({ delivery, world }) => {
        mirror.observe(delivery);
        const rows = rowsWritten(delivery);
        if (rows === undefined || delivery.event.type !== "files.write") return undefined;
        const folder = delivery.event.path.slice(0, delivery.event.path.lastIndexOf("/"));
        const others = rows.filter(({ name, hash }) => mirror.hashes.get(name) !== hash);
        for (const { name, schema, description, hash } of others) {
          mirror.hashes.set(name, hash);
          const code = world.file(`${folder}/${name}.py`);
          if (code === undefined)
            return `the row of ${name} is written, and its file is not there.`;
          if (contentHash(code, schema, description) !== hash) {
            return `the row of ${name} is written, and its file is another than the row's hash says.`;
          }
        }
        return others.length > 0 ? true : undefined;
      };
    },
  },
  "skills-orphans-are-reported": {
    says: "Whenever the store was read, after a wipe too, every file without a row and every row without a file is told, and nothing else is; so is every row that is none.",
    source: "seed 001, persistence and migration; RULINGS K11",
    watch: () => {
      const mirror = new SkillsMirror();
      return ({ delivery: { event, cause }, delivery }) => {
        mirror.observe(delivery);
        const found = event.type === "store.found" ? mirror.orphans.get(cause ?? 0) : undefined;
        if (event.type !== "store.found" || found === undefined) return undefined;
        // The file of a skill that is being created comes before its row.
        const making = new Set(mirror.creating.values());
        return (
          unlike("file and no row", found.filesAlone, event.filesAlone, making) ??
          unlike("row and no file", found.rowsAlone, event.rowsAlone, new Set()) ??
          untoldOf(found.unfit, event.unfit ?? []) ??
          true
        );
      };
    },
  },
  "skills-retired-stay-away": {
    says: "A skill that was retired is not listed, routed to or run from then on, unless it is saved anew; nor is a degraded one.",
    source: "seed 001, Retire; RULINGS K6, K11",
    watch: ({ skills: policy }) => {
      const mirror = new SkillsMirror();
      /** By engine: of which retired skills it was told that they are gone, and when. */
      const dropped = new Map<string, Map<string, number>>();
      /** When a call was decided on, by its letter; and by agent and capability, once that has arrived. */
      const decided = new Map<number, number>();
      const routed = new Map<string, number>();
      let nth = 0;
      return ({ delivery }) => {
        mirror.observe(delivery);
        nth += 1;
        const { event, to, from, seq, cause } = delivery;
        for (const one of delivery.letters)
          if (one.type === "call.routed") decided.set(one.seq, nth);
        if (event.type === "call.routed") {
          routed.set(`${event.agent} ${event.capability}`, decided.get(seq) ?? 0);
          decided.delete(seq);
        }
        if (event.type === "entries.listed" && from === SKILLS) {
          const rows = mirror.after(cause);
          const names = event.entries.map(({ name }) => name);
          const gone = dropped.get(to) ?? new Map<string, number>();
          for (const name of mirror.retired.keys()) if (!gone.has(name)) gone.set(name, nth);
          for (const name of names) gone.delete(name);
          dropped.set(to, gone);
          for (const name of names) {
            const row = rows?.get(name);
            if (rows === undefined || (row && stateOf(row, policy) === "active")) continue;
            return `${name} is listed as a skill, and it is ${row === undefined ? "not there" : "degraded"}.`;
          }
          const isOff = (row: RowSeen) => stateOf(row, policy) === "degraded";
          return gone.size > 0 || [...(rows?.values() ?? [])].some(isOff) ? true : undefined;
        }
        if (
          to === SKILLS &&
          event.type === "capability.called" &&
          !NO_SKILLS.includes(event.capability)
        ) {
          const { agent, capability } = event;
          const toldAt = dropped.get(from)?.get(capability);
          const routedAt = routed.get(`${agent} ${capability}`) ?? 0;
          if (toldAt !== undefined && toldAt < routedAt) {
            return `${agent} was routed to ${capability} after ${from} was told that it is retired.`;
          }
          return toldAt === undefined ? undefined : true;
        }
        if (to !== "port/sandbox.run" || from !== SKILLS) return undefined;
        const call = mirror.callOf(seq);
        if (call === undefined) return `the sandbox runs a skill that no call asked for.`;
        if (call.row === undefined)
          return `${call.name} runs, and it was not there when it was called.`;
        if (stateOf(call.row, policy) === "active") return undefined;
        return `${call.name} runs, and it was degraded when it was called.`;
      };
    },
  },
});
