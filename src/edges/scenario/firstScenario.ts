/** The text of a first scenario of one's own, from a few answers: small enough to be read, and it shows something. */
import { parseDuration } from "../duration.ts";

/** What happens to the tool that agents give their pages to. */
export type Trouble = "silent" | "ghost" | "nothing";

/** What a person says of a first world. */
export interface FirstAnswers {
  /** 1 … 5 names. */
  readonly agents: readonly string[];
  readonly tool: string;
  readonly trouble: Trouble;
  /** A duration such as 20m, at least `SHORTEST`. */
  readonly runsFor: string;
}

export const firstAnswers: FirstAnswers = {
  agents: ["ada", "ben"],
  tool: "page_saver",
  trouble: "silent",
  runsFor: "20m",
};

/** In less, too few goals end to say anything of them. */
export const SHORTEST = "10m";

interface Told {
  readonly why: string;
  /** Lines at the top level that bring the tool into the world. */
  readonly tool: readonly string[];
  readonly policy: string;
  readonly expect: string;
  /** Lines of the one variant. */
  readonly variant: readonly string[];
}

const DETECTED_OFF = "policy: { ghosts.preExecutionCheck: false, ghosts.nullIsFailure: false }";
const HARDLY = '{ name: hardly a goal is done, metric: goals.doneShare, op: "<=", value: 0.1 }';
const MOST = '{ name: nine in ten goals are done, metric: goals.doneShare, op: ">=", value: 0.9 }';

/** What the router reads of the tool, and what agents say when they want it. */
const wish = (tool: string): string => `${tool.replaceAll("_", " ").trim()}, write the file`;

const specPath = (tool: string): string => `/agentOS/tools/dynamic/${tool}.json`;

const specText = (tool: string): string =>
  JSON.stringify({ name: tool, description: wish(tool), inputSchema: { type: "object" } });

const GHOST_EVENT = "a-spec-without-code";

const troubles: { readonly [T in Trouble]: (answers: FirstAnswers) => Told } = {
  silent: ({ tool }) => ({
    why: `${tool} returns nothing, which looks like success, and what agents give it is lost.`,
    tool: [
      "tools:",
      `  - { name: ${yamlName(tool)}, description: "${wish(tool)}", returns: null }`,
    ],
    policy: DETECTED_OFF,
    expect: HARDLY,
    variant: [
      "  null-is-failure:",
      "    why: A call that returns nothing counts as failed, so agents find another way.",
      "    policy: { ghosts.nullIsFailure: true }",
      `    expect: [${MOST}]`,
    ],
  }),
  ghost: ({ tool }) => ({
    why: `${tool} has a description and no code, and what agents give it is lost.`,
    tool: ["files:", `  ${specPath(tool)}: '${specText(tool)}'`],
    policy: DETECTED_OFF,
    expect: HARDLY,
    variant: [
      "  pre-execution-check:",
      "    why: The engine looks for a tool's code before it calls it, so agents find another way.",
      "    policy: { ghosts.preExecutionCheck: true }",
      `    expect: [${MOST}]`,
    ],
  }),
  nothing: ({ tool, runsFor }) => ({
    why: "Agents write page after page with what the engine has, and nothing goes wrong.",
    tool: [],
    policy: DETECTED_OFF,
    expect: MOST,
    variant: [
      "  a-ghost-comes:",
      `    why: Somebody puts down a description of ${tool} without its code, and it takes the pages.`,
      "    events:",
      `      - id: ${GHOST_EVENT}`,
      `        at: ${earlyIn(runsFor)}`,
      "        does: files.write",
      `        path: ${specPath(tool)}`,
      `        text: '${specText(tool)}'`,
      '    expect: [{ name: calls are lost, metric: calls.lost, op: ">", value: 0 }]',
    ],
  }),
};

/** A third of the way, in whole seconds. */
const earlyIn = (runsFor: string): string =>
  `${Math.floor((parseDuration(runsFor) ?? 0) / 3_000)}s`;

/** A name as YAML reads it: a text, whatever it is called. */
const yamlName = (name: string): string =>
  /^(?:null|true|false)$/.test(name) ? JSON.stringify(name) : name;

/** A scenario of fewer than 40 lines that meets its expectations, whatever seed it is played with. The answers are right. */
export function firstScenario(answers: FirstAnswers): string {
  const told = troubles[answers.trouble](answers);
  return `why: ${told.why}
source: written by ghostlight scenarios --new
startsAt: 2026-01-05T09:00:00Z
seed: 1
runsFor: ${answers.runsFor}
agents: [${answers.agents.map(yamlName).join(", ")}]
${[told.policy, ...told.tool].join("\n")}
model:
  goals:
    - slug: page
      weight: 1
      text: Write page {n} of the handbook
      artifact: /agentOS/workspace/{agent}/page-{n}.md
      plans:
        - id: save
          weight: 1
          steps:
            - intent: "${wish(answers.tool)}"
              params:
                path: "{artifact}"
                content: |
                  # Page {n} of the handbook, by {agent}
                  It says what was found and what follows from it, at some length: a page of fewer than 200
                  characters does not pass the goal gate, since nobody could rely on what stands there alone.
expect:
  - ${told.expect}
variants:
${told.variant.join("\n")}
`;
}
