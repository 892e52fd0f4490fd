/** How a world with installs opens: who lives in it, what is wanted when, and what the outside does to it. */

import type { Outside, PartStage } from "../../contract/part.ts";
import type { OutsideEvent, Sections } from "../../contract/scenario.ts";
import type { Stage } from "../../contract/stage.ts";
import { BUILDER, GATEWAY, PLANNER, WARDEN } from "../../machines/installs/addresses.ts";
import type { Wish } from "../../machines/installs/crew/crewMail.ts";
import type { OpeningArtifact } from "../../machines/installs/gateway/store.ts";
import { type Json, type Letter, startActor } from "../../machines/letter.ts";
import type { CrewThought } from "./scriptedCrew.ts";

declare module "../../contract/scenario.ts" {
  interface Sections {
    /** What is wanted of those who install, and who decides. */
    readonly installs?: InstallsSection;
  }
  interface OutsideEvents {
    "install.want": Wish;
    "install.attempt": {
      /** The address that tries; it is nobody's of those who install. */
      readonly by: string;
      readonly tool: string;
      readonly params: { readonly [name: string]: Json };
    };
    "install.decide": {
      /** The approval's id, or the agent of the open one. */
      readonly of: string;
      readonly decision: "approve" | "reject";
      readonly by: string;
      readonly reason: string | null;
    };
    "install.rollback": {
      readonly agent: string;
      /** The revision that is to be active; the one before when null. */
      readonly to: string | null;
      readonly reason: string;
    };
    "install.interrupt": { readonly [field in never]: never };
    "gateway.restart": { readonly [field in never]: never };
  }
}

export interface InstallsSection {
  readonly wanted: readonly (Wish & { readonly atMs: number })[];
  readonly person: readonly PersonWord[];
  /** What those who install may think of. */
  readonly crew: readonly CrewThought[];
  /** Artifacts that are there from the start, with what judges recorded of them. */
  readonly artifacts: readonly OpeningArtifact[];
}

/** What the person says of an approval. The first that fits and is not used up counts; none is no answer. */
export interface PersonWord {
  readonly id: string;
  /** The agent that is to be installed; any when null. */
  readonly agent: string | null;
  readonly decision: "approve" | "reject";
  readonly reason: string | null;
  readonly afterMs: number;
  /** How often; without end when null. */
  readonly times: number | null;
}

/** Those who live beside the gateway, by machine and address. */
const CREW = [
  ["warden", WARDEN],
  ["planner", PLANNER],
  ["installer", BUILDER],
  ["coder", "coder.default"],
  ["evaluator", "evaluator.default"],
  ["auditor", "auditor.default"],
] as const;

const ID = "installs";

function opening({ installs, agents, events, startsAtMs }: Stage): readonly Outside[] {
  if (installs === undefined) return [];
  const bystanders = new Set(
    events.flatMap((one) => (one.does === "install.attempt" ? [one.by] : [])),
  );
  return [
    {
      id: ID,
      letter: startActor("gateway", GATEWAY, {
        startsAtMs,
        opening: { artifacts: installs.artifacts, natives: agents },
      }),
    },
    ...CREW.map(([machine, address]) => ({ id: ID, letter: startActor(machine, address, {}) })),
    ...[...bystanders].map((by) => ({ id: ID, letter: startActor("bystander", by, {}) })),
    ...installs.wanted.map(({ atMs, ...wish }) => ({
      id: wish.wish,
      letter: { to: PLANNER, event: { type: "install.wanted", ...wish }, delayMs: atMs } as const,
    })),
  ];
}

function letterOf(event: OutsideEvent): Letter | undefined {
  switch (event.does) {
    case "install.want": {
      const { id: _, atMs: __, does: ___, ...wish } = event;
      return { to: PLANNER, event: { type: "install.wanted", ...wish } };
    }
    case "install.attempt": {
      const { by, tool, params } = event;
      return { to: by, event: { type: "attempt.made", tool, params } };
    }
    case "install.decide": {
      const { of, decision, by, reason } = event;
      const isApproved = decision === "approve";
      return { to: GATEWAY, event: { type: "approval.ruled", of, isApproved, by, reason } };
    }
    case "install.rollback": {
      const { agent, to, reason } = event;
      return { to: BUILDER, event: { type: "rollback.wanted", agent, to, reason } };
    }
    case "install.interrupt":
      return { to: BUILDER, event: { type: "turn.interrupted" } };
    case "gateway.restart":
      return { to: GATEWAY, event: { type: "gateway.restarted" } };
    default:
      return undefined;
  }
}

/** The addresses of those who install: nobody else lives there. */
export const crewAddresses: readonly string[] = [GATEWAY, ...CREW.map(([, address]) => address)];

export const stage: PartStage = {
  opening,
  letterOf,
  // A wish comes from outside like an event, under its id.
  without: <T extends Partial<Sections>>(stage: T, ids: ReadonlySet<string>): T =>
    stage.installs === undefined
      ? stage
      : {
          ...stage,
          installs: {
            ...stage.installs,
            wanted: stage.installs.wanted.filter(({ wish }) => !ids.has(wish)),
          },
        },
};
