/** The YAML of a world of a log, with what stands where and what was assumed as comments. It reads back as the same fields. */
import { stringify } from "yaml";
import { countOf } from "../../../../contract/countOf.ts";
import { escapedLine } from "../../../../edges/escapedText.ts";
import type { Json } from "../../../../machines/letter.ts";
import { worldBounds } from "../../worldBounds.ts";
import type { ItemPlace, LogOfWorld } from "../../worldItems.ts";
import type { World } from "../../worldOf.ts";
import { reasonOf } from "../../worldPolicy.ts";

/** Names that one line of comment lists. */
const NAMES_MOST = 200;

/** `plain` false: every text in quotes, where plain ones do not read back. */
export function worldText(world: World, log: LogOfWorld, plain = true): string {
  const { source } = world;
  const written = (fields: { readonly [name: string]: Json | undefined }): string =>
    Object.keys(fields).length === 0
      ? ""
      : stringify(fields, {
          ...{ lineWidth: 0, aliasDuplicateObjects: false },
          ...(!plain && { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "QUOTE_DOUBLE" }),
        });
  const of = (...names: readonly string[]): string =>
    written(
      Object.fromEntries(
        names.flatMap((name) => (Object.hasOwn(source, name) ? [[name, source[name]]] : [])),
      ),
    );
  const sections = [
    [comment(headNotes(world, log)), of("why", "source", "startsAt", "seed", "runsFor")],
    [comment(agentNotes(world)), of("agents")],
    ["# What would add to the world something that the log had not is off.", policyText(source)],
    [comment(eventNotes(world, log)), of("events")],
    [comment(toolNotes(world)), of("tools")],
    ...(Object.hasOwn(source, "files") || world.notes.elsewhere > 0
      ? [[comment(fileNotes(world)), of("files")]]
      : []),
    [comment(modelNotes(world)), of("model")],
    [
      `# What the ${world.notes.recordings.length === 1 ? "log says of itself" : "recordings say of themselves"}; a variant is compared with it.`,
      of("expect"),
    ],
    [comment(variantNotes(world)), of("variants")],
  ];
  return sections.map(([notes, text]) => `${notes}\n${text}`).join("\n");
}

const comment = (lines: readonly string[]): string =>
  lines.map((line) => `# ${escapedLine(line)}`).join("\n");

const policyText = ({ policy = {} }: World["source"]): string =>
  [
    "policy:",
    ...Object.entries(policy as { readonly [path: string]: Json }).map(
      ([path, value]) => `  ${path}: ${JSON.stringify(value)} # ${reasonOf(path)}`,
    ),
    "",
  ].join("\n");

export const placeOf = ({ file, line, step, seq }: ItemPlace, first: string): string => {
  const where = line === null ? (file ?? first) : `${file ?? first}:${line}`;
  return `${where}${step === null ? "" : `, step ${step}`}, record #${seq}`;
};

function headNotes({ notes }: World, log: LogOfWorld): readonly string[] {
  const { cuts, keptChars, turns, recordings, aside, tied } = notes;
  return [
    ...(recordings.length === 1
      ? [
          `A world made of the log ${log.name} (${log.format}, ${log.file}) by ghostlight import --scenario.`,
          "Played, people say what they said, each agent makes its recorded calls, and each tool returns what it returned.",
          "The plan is played blindly: from the first answer on that differs from the log's, what follows is unknown.",
        ]
      : [
          `A world made of ${recordings.length} recordings by ghostlight import --scenario: ${recordings.slice(0, NAMES_MOST).join(", ")}${recordings.length > NAMES_MOST ? ", …" : ""}.`,
          "Played, people say what they said, and each tool returns what it returned before any fault changed that.",
          "An agent goes on as those recordings did in which all was the same before; of several ways, that of most is played.",
          "From the first answer on that none of them has, what follows is unknown.",
          ...(aside === 0
            ? []
            : [
                `Not played: where agents went another way than most after the same answers (${aside} times).`,
              ]),
          ...(tied === 0
            ? []
            : [
                `As many went another way at ${countOf(tied, "place")}: the one whose text comes first is played.`,
              ]),
        ]),
    "A live model goes on from there: ghostlight fork PLAYED-RUN --at MOMENT --model ollama:NAME",
    ...(cuts === 0
      ? []
      : [
          `Cut: ${countOf(cuts, "text")} longer than ${keptChars} characters; each says so at its end.`,
        ]),
    ...(turns.stopped === null
      ? []
      : [
          `It ends before ${placeOf(turns.stopped.item, log.file)}: it holds ${turns.stopped.why}.`,
        ]),
  ];
}

function agentNotes({ agents, log, notes }: World): readonly string[] {
  const { unheard } = notes.turns;
  return [
    "Those that call tools or speak to one another.",
    ...renamed(agents.renamed()),
    ...(log.instructions === 0
      ? []
      : [
          `Not played: their instructions (${log.instructions} characters in the log), which nobody here reads.`,
        ]),
    ...(unheard === 0
      ? []
      : [
          `Not played: ${countOf(unheard, "message")} of agents to people or to themselves, which nobody here hears.`,
        ]),
  ];
}

function renamed(names: readonly (readonly [own: string, name: string])[]): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, NAMES_MOST).map(([own, name]) => `  ${name}: in the log ${own}`);
  const more = names.length - shown.length;
  return ["Renamed:", ...shown, ...(more > 0 ? [`  … and ${more} more`] : [])];
}

function eventNotes({ notes }: World, { clock }: LogOfWorld): readonly string[] {
  const { turns, shortened } = notes;
  if (turns.events.length === 0) return ["Nobody outside says anything."];
  return [
    "What people said. A word to nobody by name is for the agent that acts next (assumed).",
    clock === "log"
      ? "Times are the log's, or later where an agent would still be busy with what was said before."
      : "The log has no times: each word comes when what was said before is done.",
    ...(shortened === 0
      ? []
      : [`Shortened to ${worldBounds.pauseMs / 1_000} s: ${countOf(shortened, "longer pause")}.`]),
  ];
}

function toolNotes({ tools, notes, source }: World): readonly string[] {
  if (!Object.hasOwn(source, "tools")) return ["No tool was called."];
  const { uncalled, withoutResult } = notes;
  const shown = uncalled.slice(0, NAMES_MOST).join(", ");
  return [
    "What each tool returned to which arguments; to the same ones again, in turn. Other arguments fail, and the call says so.",
    "A latency is the log's; where it has none, a call takes no time.",
    ...renamed(tools.renamed()),
    ...(withoutResult === 0
      ? []
      : [
          `Without a result in the log: ${countOf(withoutResult, "call")}; here they return nothing.`,
        ]),
    ...(uncalled.length === 0
      ? []
      : [`Offered and never called: ${shown}${uncalled.length > NAMES_MOST ? ", …" : ""}.`]),
  ];
}

const fileNotes = ({ notes }: World): readonly string[] => [
  "What calls read before any call wrote it. The tables answer in their place; a tool of Python that stands in for one finds them.",
  ...(notes.elsewhere === 0
    ? []
    : [`Not made: ${countOf(notes.elsewhere, "file")} where no file of a world can lie.`]),
];

const modelNotes = ({ notes }: World): readonly string[] => [
  "What the model of each agent answered: a goal is a turn, its plan the calls of that turn. They come to mind once, in this order.",
  `A turn of more than ${worldBounds.steps} calls is several goals, whose names begin with more.`,
  ...(notes.recordings.length === 1
    ? []
    : [
        "Where recordings part by what a call came to (came, a digest as in recorded), each way is a goal after the one before.",
      ]),
  ...(notes.turns.turns.some(({ acts }) => acts.some(({ kind }) => kind === "message"))
    ? ["A word of an agent to nobody by name is for the agent that acts next (assumed)."]
    : []),
];

const variantNotes = ({ notes, source }: World): readonly string[] =>
  notes.recordings.length > 1
    ? [
        "What if? A variant for each fault that recordings met; where agents still go on as in some recording, nobody has left them.",
      ]
    : Object.hasOwn(source, "variants")
      ? [
          `What if? Of the calls ${notes.errors} failed and ${notes.empty + notes.withoutResult} returned nothing.`,
        ]
      : [
          "No call failed or returned nothing, so there is nothing to vary yet. Add variants of your own here.",
        ];
