/**
 * The coder: writes the files that its model wrote, has the gateway build an artifact of them, and hands over its id. What the
 * gateway refuses is reported, with its words. Source: seed 003.
 */

import { assign, setup } from "xstate";
import { chartTypes } from "../../chart.ts";
import { answer, type Delivered, type Letter } from "../../letter.ts";
import { faultText } from "../fault.ts";
import { type BuildAnswer, readBuild } from "./crewModel.ts";
import {
  type AskPolicy,
  gatewayAsked,
  LATE,
  modelAsked,
  refusalOf,
  refusalText,
  resultText,
  workerStates,
} from "./crewTools.ts";

export type CoderEvent = Delivered<
  "build.wanted" | "gateway.answered" | "llm.replied" | "llm.failed" | "ask.bounced"
>;

type Build = Delivered<"build.wanted">;

export interface CoderContext {
  readonly queue: readonly Build[];
  readonly build: Build | null;
  readonly written: BuildAnswer | null;
  /** Of the files that the gateway has, the alias of each. */
  readonly aliases: readonly (readonly [name: string, alias: string])[];
  readonly artifact: string | null;
  /** Why nothing comes of it; null while something may. */
  readonly fault: string | null;
  readonly facts: readonly number[];
}

const opening: CoderContext = {
  ...{ queue: [], build: null, written: null, aliases: [], artifact: null, fault: null },
  facts: [],
};

type Change = Partial<CoderContext>;

const filesLeft = ({ written, aliases }: CoderContext): readonly string[] =>
  Object.keys(written?.files ?? {}).slice(aliases.length);

function takeFiles({ facts: old }: CoderContext, { text, at }: Delivered<"llm.replied">): Change {
  const { value, fault } = readBuild(text);
  const facts = [...old, at.seq];
  return fault === undefined
    ? { written: value, facts }
    : { fault: `the model wrote no files: ${faultText(fault)}`, facts };
}

function takeAlias(context: CoderContext, event: Delivered<"gateway.answered">): Change {
  const [name = ""] = filesLeft(context);
  const alias = resultText(event, "alias");
  if (!event.ok || alias === null) return { fault: `${name}: ${refusalText(event)}` };
  return { aliases: [...context.aliases, [name, alias]] };
}

function takeArtifact(context: CoderContext, event: Delivered<"gateway.answered">): Change {
  const artifact = resultText(event, "artifact_id");
  const facts = [...context.facts, event.at.seq];
  return event.ok && artifact !== null ? { artifact, facts } : { fault: refusalText(event), facts };
}

function filesAsked({ build, facts }: CoderContext): Letter {
  const { wish = "", goal = "", intent = {}, flaws = [] } = build ?? {};
  return modelAsked({ purpose: "install.build", wish, goal, intent, flaws }, facts);
}

function fileWritten(context: CoderContext): Letter {
  const [name = ""] = filesLeft(context);
  const content = context.written?.files[name] ?? "";
  // Those of another agent may have the same names.
  const params = { name: `${context.build?.wish ?? ""}/${name}`, content };
  return gatewayAsked("content.write", params, context.facts);
}

function artifactAsked({ written, aliases, facts }: CoderContext): Letter {
  const inputs = aliases.map(([name, content]) => ({ name, content }));
  const entrypoints = written?.entrypoints ?? [];
  return gatewayAsked("artifact.build", { inputs, entrypoints }, facts);
}

const delivered = ({ build, artifact, fault, facts }: CoderContext): Letter[] =>
  build === null
    ? []
    : answer(
        build.at,
        { type: "build.delivered", wish: build.wish, artifact, reason: fault },
        { because: facts },
      );

const { say, change, askingModel, askingGateway } = workerStates<
  CoderContext,
  CoderEvent,
  "delivering"
>("delivering");

export const coderMachine = ({
  installs: { crew },
}: {
  readonly installs: { readonly crew: AskPolicy };
}) =>
  setup({
    types: chartTypes<CoderContext, CoderEvent, object>(),
    guards: {
      hasWork: ({ context }) => context.queue.length > 0,
      isFaulty: ({ context }) => context.fault !== null,
      hasFiles: ({ context }) => filesLeft(context).length > 0,
    },
    actions: {
      refused: assign(({ event }) => refusalOf(event)),
      modelLate: assign(LATE.model),
      gatewayLate: assign(LATE.gateway),
    },
    delays: { modelTimeout: crew.modelTimeoutMs, toolTimeout: crew.toolTimeoutMs },
  }).createMachine({
    id: "coder",
    context: opening,
    initial: "idle",
    on: {
      "build.wanted": {
        actions: assign(({ context, event }) => ({ queue: [...context.queue, event] })),
      },
      "ask.bounced": { target: ".delivering", actions: "refused" },
    },
    states: {
      idle: {
        always: {
          guard: "hasWork",
          target: "thinking",
          actions: change(({ queue }) => ({
            ...{ ...opening, queue: queue.slice(1), build: queue[0] ?? null },
          })),
        },
      },
      thinking: askingModel(filesAsked, "written", takeFiles),
      written: {
        always: [
          { guard: "isFaulty", target: "delivering" },
          { guard: "hasFiles", target: "writing" },
          { target: "building" },
        ],
      },
      writing: askingGateway(fileWritten, "written", takeAlias),
      building: askingGateway(artifactAsked, "delivering", takeArtifact),
      delivering: {
        entry: say(delivered),
        exit: change(({ queue }) => ({ ...opening, queue })),
        always: "idle",
      },
    },
  });
