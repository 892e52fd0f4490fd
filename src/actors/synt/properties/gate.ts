/** What may enter the pool, and what goes. Source: seed 002, 3, 4.2.1, 5, 8.1 and 12; Y12, Y19. */

import { utf8ToBytes } from "@noble/hashes/utils.js";
import { worldPromises } from "../../../contract/promises.ts";
import type { Seen, Verdict } from "../../../contract/property.ts";
import { startOf } from "../../../contract/startOf.ts";
import { sortedJson } from "../../../machines/sortedJson.ts";
import { DESK, EXECUTORS_FOLDER, isChain, POOL } from "../../../machines/synt/contract.ts";
import { normalised } from "../../../machines/synt/desk/locks.ts";
import type { ComposePolicy } from "../../../machines/synt/pool/compose.ts";
import { chainKey, type PoolEntry } from "../../../machines/synt/pool/poolState.ts";
import { seconds } from "../../../machines/units.ts";
import { isSigned } from "../../../substrate/ed25519.ts";
import type { RequestSeen, SyntSeen } from "./seen.ts";

function entryFault({ name, made }: PoolEntry, synt: SyntSeen): Verdict {
  const { origin } = (made?.manifest ?? {}) as { readonly origin?: { readonly request: string } };
  const request = synt.requests.get(origin?.request ?? "");
  if (made === null || request === undefined) return `${name} entered, and no request made it.`;
  if (request.asked === undefined) return `${name} entered, and the person was not asked about it.`;
  if (request.approved === undefined)
    return `${name} entered, and the person did not approve of it.`;
  if (request.askedName !== name)
    return `${name} entered; what was approved is ${request.askedName}.`;
  if (made.key !== request.signer) return `${name} entered with a key that did not sign it.`;
  const text = sortedJson({ manifest: made.manifest, code: made.code });
  return isRight(text, made.signature, made.key)
    ? true
    : `${name} entered, and its signature is not that of manifest and code.`;
}

const isRight = (text: string, signature: string, key: string): boolean =>
  isSigned(utf8ToBytes(text), bytesOf(signature), bytesOf(key));

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/[0-9a-f]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Ours: by then the check of a signature is over. */
const CHECKED_MS = seconds(1);

/** Whether the three files, as they lie there, are one signed artefact. */
function filesAreSigned({ name, made }: PoolEntry, world: Seen["world"]): boolean {
  const folder = `${EXECUTORS_FOLDER}/${name}`;
  const code = world.file(`${folder}/${name}.py`);
  const manifest = world.file(`${folder}/manifest.json`);
  const signature = world.file(`${folder}/manifest.json.sig`);
  if (made === null || code === undefined || manifest === undefined || !signature) return false;
  const isUnchanged =
    code === made.code && manifest === sortedJson(made.manifest) && signature === made.signature;
  // Only what was changed costs the arithmetic of a curve.
  const text = `{"code":${JSON.stringify(code)},"manifest":${manifest}}`;
  return isUnchanged || isRight(text, signature, made.key);
}

/** Turns that replay a chain which synt composed for the same words: each must be said, and granted. */
function silentReplays(clean: ReadonlyMap<string, number>, policy: ComposePolicy) {
  const composed = new Set<string>();
  const replaying = new Set<string>();
  const said = new Map<string, string>();
  /** What had run clean when the pool was asked for a plan: by turn, and chain. */
  const known = new Map<string, ReadonlyMap<string, number>>();
  return ({ delivery: { event, from, to } }: Seen): Verdict | undefined => {
    if (event.type === "catalogue.asked") known.set(from.replace("planner/", ""), new Map(clean));
    if (event.type === "plan.made" && event.isReplayed) replaying.add(to);
    if (event.type === "chain.replayed" && to === DESK) {
      const key = chainKey(event.chain);
      said.set(from, key);
      const runs = known.get(event.turn)?.get(key) ?? 0;
      return policy.autonomy === "full" && runs >= policy.cleanRuns && runs === event.cleanRuns
        ? true
        : `${event.turn} replays ${key}, and nobody was asked; it ran clean ${runs} times.`;
    }
    if (event.type !== "chain.ran" || to !== POOL) return undefined;
    const key = chainKey(event.chain);
    const words = `${normalised(event.query)} ${key}`;
    if (event.composed) composed.add(words);
    const isSilent = replaying.has(from) && composed.has(words) && said.get(from) !== key;
    return isSilent ? `${from} replayed ${key}, which synt composed, and said nothing.` : undefined;
  };
}

/** Why members must not become one; null where they may. */
function profilesFault({ input }: RequestSeen, { pool }: SyntSeen): string | null {
  const { strategy = null, material } = input ?? {};
  if (strategy !== "merge" && strategy !== "generalise") return null;
  const profiles = (material?.members ?? []).map((name) => pool.executors[name]?.profile ?? {});
  const permissions = [...new Set(profiles.flatMap((one) => Object.keys(one)))];
  const different = permissions.filter((permission) => {
    const reached = profiles.map((one) => [...new Set(one[permission])].sort().join("\n"));
    return new Set(reached).size > 1;
  });
  const most = strategy === "merge" ? 0 : 1;
  return different.length > most ? `its members differ in ${different.join(" and ")}` : null;
}

export const syntGateProperties = worldPromises({
  "synt-gate-and-signature": {
    says: "Nothing that was made enters the pool before the person approved that very proposal, and with a signature of it that is right.",
    source: "seed 002, 3, 8.1 and 12, “Human gate not bypassable”; RULINGS Y12",
    watch: () => {
      let before: SyntSeen["pool"]["executors"] = {};
      return ({ synt }) => {
        const { executors } = synt.pool;
        if (executors === before) return undefined;
        const entered = Object.values(executors).filter(
          ({ name, isHandcrafted }) => !isHandcrafted && !Object.hasOwn(before, name),
        );
        before = executors;
        if (entered.length === 0) return undefined;
        const faults = entered.map((entry) => entryFault(entry, synt));
        return faults.find((fault) => fault !== true) ?? true;
      };
    },
  },
  "synt-chain-is-granted": {
    says: "No chain stands in for what is missing before the person approved it, or, with autonomy full, before it ran clean often enough; a replay without their word is said.",
    source: "seed 002, 8.1; RULINGS Y12, Y27",
    watch: ({ synt: policy }) => {
      const clean = new Map<string, number>();
      const replays = silentReplays(clean, policy.compose);
      return (seen) => {
        const {
          delivery: { event, to },
          synt,
        } = seen;
        if (event.type === "chain.ran" && to === "pool") {
          const key = event.chain.join(" → ");
          clean.set(key, event.ok ? (clean.get(key) ?? 0) + 1 : 0);
        }
        const replay = replays(seen);
        if (replay !== undefined) return replay;
        if (event.type !== "synth.stated" || event.state !== "delivered") return undefined;
        const chain = event.artefact;
        if (!isChain(chain) || chain.length < 2) return undefined;
        const request = synt.requests.get(event.request);
        if (request?.approved !== undefined) return true;
        const runs = clean.get(chain.join(" → ")) ?? 0;
        if (policy.compose.autonomy === "full" && runs >= policy.compose.cleanRuns) return true;
        return `${request?.id} hands over ${chain.join(" → ")}; the person did not approve, and it ran clean ${runs} times.`;
      };
    },
  },
  "synt-tampered-is-refused": {
    says: "An executor whose code, manifest or signature is no longer what was signed is not called, and planners are not shown it.",
    source: "seed 002, 4.2.1; RULINGS Y19; issue 4",
    watch: () => {
      /** The executors that lie there broken, and since when. */
      const broken = new Map<string, number>();
      return ({ delivery: { event, to, dueMs }, world, synt }) => {
        const { executors } = synt.pool;
        if (event.type === "folder.changed" && to === "pool") {
          const name = event.path.slice(EXECUTORS_FOLDER.length + 1).split("/")[0] ?? "";
          const entry = executors[name];
          if (entry?.made == null) return undefined;
          if (filesAreSigned(entry, world)) broken.delete(name);
          else if (!broken.has(name)) broken.set(name, dueMs);
          return undefined;
        }
        for (const [name, sinceMs] of broken) {
          if (dueMs <= sinceMs + CHECKED_MS) continue;
          const entry = executors[name];
          if (entry?.isVisible || entry?.isLoaded) {
            return `${name} was changed at ${sinceMs} ms, and the pool has it as ${entry.state} still.`;
          }
        }
        return broken.size > 0 ? true : undefined;
      };
    },
  },
  "synt-merge-is-coherent": {
    says: "What may reach different things is not merged: the proposal is suspended with its reason, and the person is not asked.",
    source: "seed 002, 5.1, 5.2 and 12, “Profile coherence in merge”",
    watch: () => {
      const differing = new Map<string, string>();
      return ({ delivery: { event, to, from }, synt }) => {
        if (startOf(event, "synthesisRequest") !== undefined) {
          const request = [...synt.requests.values()].at(-1) as RequestSeen;
          const fault = profilesFault(request, synt);
          if (fault !== null) differing.set(request.id, fault);
          return undefined;
        }
        const request = synt.at(event.type === "person.asked" ? from : to === "synt" ? from : "");
        const fault = differing.get(request?.id ?? "");
        if (request === undefined || fault === undefined) return undefined;
        if (event.type === "person.asked")
          return `${request.id} is shown to the person, and ${fault}.`;
        if (event.type !== "synth.stated" || event.state === "proposed") return undefined;
        const isSuspended = event.state === "suspended" && event.rationale !== "";
        return isSuspended ? true : `${request.id} is ${event.state}, and ${fault}.`;
      };
    },
  },
});
