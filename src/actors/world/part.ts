/** What every world has: virtual files, and ports to models and to Python. */

import { metricsIn } from "../../contract/gauge.ts";
import type { Part } from "../../contract/part.ts";
import type { OutsideEvent } from "../../contract/scenario.ts";
import { type FilesRequest, filesServiceIn } from "../../machines/files.ts";
import { folderLeaves } from "../../machines/folders.ts";
import { type Letter, startActor } from "../../machines/letter.ts";
import { liveLeaves } from "../../machines/livePolicy.ts";
import { modelLeaves } from "../../machines/modelLatency.ts";
import { sandboxLeaves } from "../../machines/sandboxPolicy.ts";
import { terms } from "../../machines/stemmer.ts";
import { noParser, scriptedEmbedding } from "./scriptedPorts.ts";
import { words } from "./words.ts";

const policy = {
  folders: folderLeaves,
  live: liveLeaves,
  model: modelLeaves,
  sandbox: sandboxLeaves,
};

declare module "../../contract/policy.ts" {
  interface PolicyTree {
    readonly folders: typeof folderLeaves;
    readonly live: typeof liveLeaves;
    readonly model: typeof modelLeaves;
    readonly sandbox: typeof sandboxLeaves;
  }
}

declare module "../../contract/scenario.ts" {
  interface OutsideEvents {
    "files.write": { readonly path: string; readonly text: string };
    "files.move": { readonly path: string; readonly to: string };
    "files.delete": { readonly path: string };
  }
}

const metrics = {
  "model.calls": metricsIn("calls", "agent")(
    "Answers of a model that came while the one who asked still waited.",
    { "llm.replied": 1 },
    "more",
  ),
};

type WorldMetrics = typeof metrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends WorldMetrics {}
}

const toFiles = (event: FilesRequest): Letter => ({ to: "files", event });

function letterOf(event: OutsideEvent): Letter | undefined {
  switch (event.does) {
    case "files.write":
      return toFiles({ type: "files.write", path: event.path, text: event.text });
    case "files.move":
      return toFiles({ type: "files.move", path: event.path, to: event.to });
    case "files.delete":
      return toFiles({ type: "files.delete", paths: [event.path] });
    default:
      return undefined;
  }
}

export const world = {
  name: "world",
  policy,
  services: ({ folders }) => ({ files: filesServiceIn(folders) }),
  stage: {
    opening: ({ files }) => [{ id: "stage", letter: startActor("files", "files", { files }) }],
    letterOf,
  },
  scriptedPorts: ({ random }) => ({
    "port/llm.embed": scriptedEmbedding(terms, random),
    "port/python.parse": noParser,
  }),
  words,
  trail: { telling: ["folder.changed"] },
  promises: async () => (await import("./properties/seen.ts")).promises,
  metrics,
} as const satisfies Part;
