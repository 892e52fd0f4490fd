/** What became of installs, from the event log alone. */

import type { Teller } from "../../contract/part.ts";
import type { Sections } from "../../contract/scenario.ts";
import type { Moment } from "../../contract/story.ts";
import type { Mail, MailOf } from "../../machines/letter.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { type ApprovalLife, InstallLives, type RevisionLife, type Turn } from "./installLives.ts";

declare module "../../contract/story.ts" {
  interface Stories {
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

class InstallsTeller implements Teller {
  readonly #lives = new InstallLives();
  readonly #refusals: Refusal[] = [];
  readonly #judgements: Judgement[] = [];
  readonly #held: HeldStep[] = [];
  readonly #beyond: Beyond[] = [];
  readonly #found: Found[] = [];
  readonly #installed: InstalledLife[] = [];
  readonly told = {
    installs: {
      revisions: this.#lives.revisions,
      approvals: this.#lives.approvals,
      refusals: this.#refusals,
      judgements: this.#judgements,
      held: this.#held,
      beyond: this.#beyond,
      found: this.#found,
      lives: this.#installed,
    },
  };
  readonly #moments: Moment[];

  constructor(moments: Moment[]) {
    this.#moments = moments;
  }

  observe(delivery: SeenDelivery): void {
    const { event, dueMs: atMs, fate } = delivery;
    const turn = this.#lives.told(delivery);
    if (turn !== undefined) this.#turned(turn, atMs);
    if (fate !== "handled") return;
    switch (event.type) {
      case "install.refused":
        this.#refused(event, atMs);
        break;
      case "promotion.recorded": {
        const { artifact, role, pass, by, findings } = event;
        const words = findings.map(({ severity, description }) => `${severity}: ${description}`);
        this.#judgements.push({ atMs, artifact, role, pass, by, findings: words });
        this.#note(atMs, "judgement", `${by} ${pass ? "passes" : "fails"} ${artifact}`);
        break;
      }
      case "install.held": {
        const { wanted, does, why } = event;
        this.#held.push({ atMs, by: delivery.from, wanted, does, why });
        break;
      }
      case "install.closed":
        if (!event.isInstalled) this.#note(atMs, "end", `${event.agent} is not installed`);
        break;
      case "gateway.found":
      case "gateway.foreign":
      case "gateway.damaged": {
        const found = foundIn(event);
        this.#found.push(...found.map((one) => ({ ...one, atMs })));
        for (const { what } of found) this.#note(atMs, "gateway", `the gateway finds ${what}`);
        break;
      }
      case "reach.refused":
      case "reach.breached": {
        const { agent, call, missing, why } = event;
        const isBreach = event.type === "reach.breached";
        this.#beyond.push({ atMs, agent, call, missing, why, isBreach });
        if (isBreach) this.#note(atMs, "reach", `${agent} wrote beyond its reach`);
        break;
      }
      default:
        this.#lived(delivery);
    }
  }

  /** The part's own actors set the stage; what else comes from outside is told with who and what. */
  tellsOf({ cause, event, from, to, dueMs: atMs }: SeenDelivery): boolean {
    if (cause !== null) return false;
    const label = inputText(event, to);
    if (label === undefined) return event.type === "actor.start" && from === "outside/installs";
    this.#note(atMs, "outside", `${label} (${from.slice("outside/".length)})`);
    return true;
  }

  #turned(turn: Turn, atMs: number): void {
    if (turn.of === "revision") {
      const { agent, id } = turn.life;
      this.#note(atMs, "revision", `${agent} ${id} is ${turn.phase.replace("_", " ")}`);
    } else {
      const { agent, id } = turn.life;
      this.#note(atMs, "approval", `${id} of ${agent} is ${turn.phase}`);
    }
  }

  #refused({ tool, by, agent, reasons }: Mail["install.refused"], atMs: number): void {
    this.#refusals.push({ atMs, tool, by, agent: agent ?? null, reasons });
    this.#note(atMs, "refusal", `${by} is refused ${tool}`);
  }

  #lived({ event, dueMs: atMs }: SeenDelivery): void {
    if (event.type === "installed.born" && event.fault === null) {
      const { agent, revision } = event;
      this.#installed.push({ agent, revision, fromMs: atMs, toMs: null, children: [] });
    }
    if (event.type === "installed.ended") {
      const life = this.#living(event.agent);
      if (life !== undefined) life.toMs = atMs;
    }
    if (event.type === "installed.spawned") this.#living(event.agent)?.children.push(event.child);
    if (event.type === "tools.withdrawn") {
      this.#note(atMs, "tools", `tools of ${event.agent} are withdrawn`);
    }
  }

  #living(agent: string): InstalledLife | undefined {
    return this.#installed.findLast((one) => one.agent === agent && one.toMs === null);
  }

  #note(atMs: number, kind: string, label: string): void {
    this.#moments.push({ atMs, kind, label });
  }
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

export const story = (_: Partial<Sections>, moments: Moment[]): Teller =>
  new InstallsTeller(moments);
