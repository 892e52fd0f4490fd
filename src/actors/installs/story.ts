/** What became of installs, from the event log alone. */

import type { Book } from "../../contract/book.ts";
import type { MailOf } from "../../machines/letter.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { type ApprovalLife, type RevisionLife, type Turn, turned } from "./installLives.ts";

declare module "../../contract/book.ts" {
  interface Books {
    readonly installs: InstallsStory;
  }
}

export interface InstallsStory {
  /** In the order in which they were created. */
  readonly revisions: readonly RevisionLife[];
  readonly approvals: readonly ApprovalLife[];
  readonly refusals: readonly Refusal[];
  readonly judgements: readonly Judgement[];
  readonly held: readonly HeldStep[];
  readonly beyond: readonly Beyond[];
  /** What a start of the gateway met with that was not as it left it. */
  readonly found: readonly Found[];
  /** Agents that live because they were installed, or did. */
  readonly lives: readonly InstalledLife[];
}

export interface Refusal {
  readonly atMs: number;
  readonly tool: string;
  readonly by: string;
  readonly agent: string | null;
  readonly reasons: readonly string[];
}

/** What a model wanted, and a rule forbids. */
export interface HeldStep {
  readonly atMs: number;
  readonly by: string;
  readonly wanted: string;
  readonly does: string;
  readonly why: string;
}

export interface Judgement {
  readonly atMs: number;
  readonly artifact: string;
  readonly role: string;
  readonly pass: boolean;
  readonly by: string;
  readonly findings: readonly string[];
}

/** A call that the capabilities do not cover, or a write that came about all the same. */
export interface Beyond {
  readonly atMs: number;
  readonly agent: string;
  readonly call: string;
  readonly missing: string;
  readonly why: string;
  readonly isBreach: boolean;
}

export interface Found {
  readonly atMs: number;
  readonly what: string;
  /** What the gateway did about it. */
  readonly did: string;
  readonly why: string;
}

export interface InstalledLife {
  readonly agent: string;
  readonly revision: string;
  readonly fromMs: number;
  /** Null while it lives. */
  toMs: number | null;
  readonly children: string[];
}

export interface InstallsFacts {
  readonly told: {
    readonly installs: { readonly [List in keyof InstallsStory]: InstallsStory[List][number][] };
  };
}

export const book: Book<InstallsFacts> = {
  start: () => ({
    told: {
      installs: {
        ...{ revisions: [], approvals: [], refusals: [], judgements: [] },
        ...{ held: [], beyond: [], found: [], lives: [] },
      },
    },
  }),
  step({ told: { installs } }, delivery, moments) {
    const note = (kind: string, label: string): void => {
      moments.push({ atMs: delivery.dueMs, kind, label });
    };
    const outside = outsideText(delivery);
    if (outside !== undefined) note("outside", outside);
    const { event, dueMs: atMs, fate } = delivery;
    const turn = turned(installs, delivery);
    if (turn !== undefined) note(turn.of, turnText(turn));
    if (fate !== "handled") return;
    switch (event.type) {
      case "install.refused": {
        const { tool, by, agent = null, reasons } = event;
        installs.refusals.push({ atMs, tool, by, agent, reasons });
        note("refusal", `${by} is refused ${tool}`);
        break;
      }
      case "promotion.recorded": {
        const { artifact, role, pass, by, findings } = event;
        const words = findings.map(({ severity, description }) => `${severity}: ${description}`);
        installs.judgements.push({ atMs, artifact, role, pass, by, findings: words });
        note("judgement", `${by} ${pass ? "passes" : "fails"} ${artifact}`);
        break;
      }
      case "install.held": {
        const { wanted, does, why } = event;
        installs.held.push({ atMs, by: delivery.from, wanted, does, why });
        break;
      }
      case "install.closed":
        if (!event.isInstalled) note("end", `${event.agent} is not installed`);
        break;
      case "gateway.found":
      case "gateway.foreign":
      case "gateway.damaged": {
        const found = foundIn(event);
        installs.found.push(...found.map((one) => ({ ...one, atMs })));
        for (const { what } of found) note("gateway", `the gateway finds ${what}`);
        break;
      }
      case "reach.refused":
      case "reach.breached": {
        const { agent, call, missing, why } = event;
        const isBreach = event.type === "reach.breached";
        installs.beyond.push({ atMs, agent, call, missing, why, isBreach });
        if (isBreach) note("reach", `${agent} wrote beyond its reach`);
        break;
      }
      default:
        lived(installs.lives, delivery);
        if (event.type === "tools.withdrawn")
          note("tools", `tools of ${event.agent} are withdrawn`);
    }
  },
  /** The part's own actors set the stage; what else comes from outside is told with who and what. */
  tellsOf: (delivery) =>
    outsideText(delivery) !== undefined ||
    (delivery.cause === null &&
      delivery.event.type === "actor.start" &&
      delivery.from === "outside/installs"),
};

const turnText = ({ of, life: { agent, id }, phase }: Turn): string =>
  of === "revision"
    ? `${agent} ${id} is ${phase.replace("_", " ")}`
    : `${id} of ${agent} is ${phase}`;

function lived(lives: InstalledLife[], { event, dueMs: atMs }: SeenDelivery): void {
  const living = (agent: string): InstalledLife | undefined =>
    lives.findLast((one) => one.agent === agent && one.toMs === null);
  if (event.type === "installed.born" && event.fault === null) {
    const { agent, revision } = event;
    lives.push({ agent, revision, fromMs: atMs, toMs: null, children: [] });
  }
  if (event.type === "installed.ended") {
    const life = living(event.agent);
    if (life !== undefined) life.toMs = atMs;
  }
  if (event.type === "installed.spawned") living(event.agent)?.children.push(event.child);
}

function outsideText({ cause, event, from, to }: SeenDelivery): string | undefined {
  const label = cause === null ? inputText(event, to) : undefined;
  return label === undefined ? undefined : `${label} (${from.slice("outside/".length)})`;
}

/** What the outside wants or does; undefined for what is not the part's. */
function inputText(event: SeenDelivery["event"], to: string): string | undefined {
  switch (event.type) {
    case "install.wanted":
      return `${String(event.intent["agent_id"] ?? "an agent without a name")} is wanted`;
    case "attempt.made":
      return `${to} calls ${event.tool}`;
    case "approval.ruled":
      return `${event.by} ${event.isApproved ? "approves of" : "rejects"} ${event.of}`;
    case "rollback.wanted":
      return `${event.agent} is to be rolled back`;
    case "turn.interrupted":
      return "the builder's turn breaks off";
    case "gateway.restarted":
      return "the gateway is restarted";
    default:
      return undefined;
  }
}

type FoundEvent = MailOf<"gateway.found" | "gateway.foreign" | "gateway.damaged">;

function foundIn(event: FoundEvent): readonly Omit<Found, "atMs">[] {
  switch (event.type) {
    case "gateway.found": {
      const { revision, agent, half, did, why } = event;
      return [{ what: `${revision} of ${agent}, its ${half} half done`, did, why }];
    }
    case "gateway.foreign":
      return event.paths.map((what) => ({ what, did: "left as it is", why: FOREIGN }));
    case "gateway.damaged":
      return [{ what: "books that do not count", did: "serves nothing", why: event.fault }];
  }
}

const FOREIGN = "the gateway never wrote it, so it counts for nothing";
