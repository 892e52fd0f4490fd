/** The gate of installs, as runs and commands know it: a person is asked about each approval, and says yes or no to it. */
import { command } from "../../../edges/command.ts";
import { clock, span } from "../../../edges/duration.ts";
import { escapedLine } from "../../../edges/escapedText.ts";
import type { Answered, Decided, OpenQuestion, PartGate } from "../../../edges/play/gate.ts";
import { type Desk, servedGate, wordReply } from "../../../edges/play/gatePort.ts";
import type { Redactor } from "../../../edges/redaction.ts";
import { defined } from "../../../machines/defined.ts";
import type { ApprovalPolicy } from "../../../machines/installs/gate/approval.ts";
import type { Capability } from "../../../machines/installs/gate/capability.ts";
import type { InstallDossier } from "../../../machines/installs/mail.ts";
import type { MailOf } from "../../../machines/letter.ts";

type Question = MailOf<"approval.asked">;

/** What may be said of an install. Nothing of it can be amended: it was reviewed as it is. */
export interface InstallWord {
  readonly decision: "approve" | "reject";
  readonly feedback?: string;
  /** Who decides, by name. */
  readonly by?: string;
}

export const installsGate: PartGate = {
  port: "port/person.decide",
  asks: "approval.asked",
  serve: (gate, { policy: { installs }, ...options }) =>
    servedGate(gate, deskOf(installs), options),
  shown: ({ event, atMs }, bundle) => {
    const question = questionIn(event);
    if (question === undefined) return { about: [], text: "", json: {} };
    const { request, dossier } = question;
    const commands = VERBS.map((verb) => command`install ${verb} ${request} --bundle ${bundle}`);
    const what = `the install of ${dossier.agentId} (${dossier.factors.join(", ") || "no risk factor"})`;
    const head = `${request} waits for a decision: ${what}, since ${clock(atMs)}.`;
    return {
      about: [request],
      text: [escapedLine(head), ...commands.map((one) => `  ${one}`)].join("\n"),
      json: { approval: request, dossier, commands },
    };
  },
};

const VERBS = ["approve", "reject"] as const;

/** The question, where it is one about an install. */
export const questionIn = (event: OpenQuestion["event"]): Question | undefined =>
  event.type === "approval.asked" ? event : undefined;

/** What was decided so far, by approval. */
export const approvalsDecided = (
  answered: readonly Answered[],
): ReadonlyMap<string, { readonly decision: string; readonly atMs: number }> =>
  new Map(
    answered.flatMap(({ question: { event: asked }, reply: { event, deliveredAt } }) =>
      asked.type === "approval.asked" &&
      event.type === "person.decided" &&
      event.decision !== undefined &&
      event.decision !== "none"
        ? [[asked.request, { decision: event.decision, atMs: deliveredAt }] as const]
        : [],
    ),
  );

/** A word given after so much virtual time about the question with this number. */
export const installDecidedBy = (
  word: InstallWord,
  { seq, afterMs }: { readonly seq: number; readonly afterMs: number },
): Decided => ({
  seq,
  reply: (question, redactor) => wordReply(decidedEvent(word, redactor), question, afterMs),
});

type Waiting = Pick<ApprovalPolicy, "approvalTimeoutMs">;

const deskOf = (rules: Waiting): Desk<"approval.asked", InstallWord> => ({
  ask: async ({ event }, person) => {
    let said = await person.ask(questionText(event, rules));
    for (;;) {
      if (said === null) return null;
      const word = readInstallWord(said);
      if (word !== undefined) return word;
      said = await person.ask(`That is no decision. What is:\n${WAYS}`);
    }
  },
  decided: decidedEvent,
});

function decidedEvent(
  { decision, feedback, by }: InstallWord,
  redactor: Redactor,
): MailOf<"person.decided"> {
  const said = feedback === undefined ? undefined : redactor.text(feedback);
  return defined({ type: "person.decided", decision, feedback: said, by });
}

/** What a person typed; undefined when it is no decision. Only `a` or `approve` alone approves. */
export function readInstallWord(said: string): InstallWord | undefined {
  const line = said.trim();
  if (/^(a|approve)$/i.test(line)) return { decision: "approve" };
  const [, letter, words = ""] = /^(r|reject)(?:[\s:,]+(.*))?$/isu.exec(line) ?? [];
  if (letter === undefined) return undefined;
  return defined({ decision: "reject", feedback: words === "" ? undefined : words });
}

const WIDTH = 16;
const row = (name: string, text: string): string => `  ${name.padEnd(WIDTH)} ${escapedLine(text)}`;
const WAYS = [row("a", "approves"), row("r", "rejects; r WORDS says why")].join("\n");

function questionText({ request, dossier }: Question, { approvalTimeoutMs }: Waiting): string {
  const upTo = approvalTimeoutMs === 0 ? "" : `, up to ${span(approvalTimeoutMs)}`;
  return [
    escapedLine(`${request}: May ${dossier.agentId} be installed?`),
    "",
    installDossierText(dossier),
    "",
    `The run stands still meanwhile; what you take counts${upTo}.`,
    WAYS,
  ].join("\n");
}

/** Ours: what a person can read of evidence at once. */
const PLACES_MAX = 20;

// What a capability lets an agent do, in words for the person who is asked about it.

const listed = (words: readonly string[]): string =>
  words.length < 2
    ? (words[0] ?? "nothing")
    : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

const begun = (text: string): string => text.replace(/\*+$/, "");

function pathText(scope: string): string {
  if (scope === "*" || scope === "/") return "every file";
  if (scope === "self.*") return "its own folder";
  return scope.endsWith("*")
    ? `whatever begins with ${begun(scope)}`
    : `${scope} and what lies below`;
}

const nameText = (pattern: string): string =>
  pattern === "*" ? "anyone" : `whoever is called ${begun(pattern)}…`;

const commandText = (pattern: string): string =>
  pattern === "*" ? "any command" : `\`${begun(pattern).trim()}\` and what it is given`;

const keysText = (scope: string): string => {
  if (scope === "*") return "all keys";
  if (scope === "self.*") return "its own keys";
  return scope.endsWith("*") ? `keys that begin with ${begun(scope)}` : `the key ${scope}`;
};

/** One sentence without its subject, such as `read its own folder`. */
export function reachText(capability: Capability): string {
  switch (capability.type) {
    case "ReadAccess":
      return `read ${listed(capability.scopes.map(pathText))}`;
    case "WriteAccess":
      return `write ${listed(capability.scopes.map(pathText))}`;
    case "NetworkAccess":
      if (capability.hosts.length === 0) return "reach no host";
      return capability.hosts.includes("*")
        ? "reach any host"
        : `reach ${listed(capability.hosts)} alone`;
    case "CodeExecution":
      return `run ${listed((capability.patterns ?? ["*"]).map(commandText))}`;
    case "SandboxFunctions":
      return capability.allowed === undefined
        ? "call any function of the sandbox"
        : `call ${listed(capability.allowed)}`;
    case "AgentSpawn":
      return `start up to ${capability.max_children} agents of its own`;
    case "AgentMessage":
      return `write to ${listed(capability.patterns.map(nameText))}`;
    case "BackgroundReevaluation":
      return `wake up by itself every ${capability.min_interval_secs} s${capability.allow_reasoning ? ", and ask its model" : ""}`;
    case "CredentialAccess":
      return `use the credentials of ${listed(capability.services)}`;
    case "MemoryAccess":
      return `read and write ${listed(capability.scopes.map(keysText))} of the shared memory`;
    case "SchedulerAccess":
      return "have work done at times that it names";
    case "EmergencyStop":
      return "stop everything";
  }
}

/** All that is known of the install, a fact a line. */
export function installDossierText(dossier: InstallDossier): string {
  const { agentId, description, requestedBy, capabilities, factors, evidence, threats } = dossier;
  const { artifactId, artifactDigest, runs, unfamiliar, judged, notes, before, widens } = dossier;
  const cut = runs.cut === 0 ? [] : [row("", `… and ${runs.cut} more characters`)];
  const artifact = artifactId === null ? "none" : `${artifactId}, ${artifactDigest ?? "no digest"}`;
  return [
    row("agent", agentId),
    row("description", description),
    row("asked by", requestedBy),
    row(
      "runs",
      [runs.mode, runs.entry ?? "", runs.model ?? ""].filter((one) => one !== "").join(", "),
    ),
    ...rowsOf("instructions", runs.instructions.split("\n")),
    ...cut,
    ...(runs.files.length === 0 ? [] : rowsOf("file", runs.files)),
    ...rowsOf("capability", capabilities.map(capabilityText)),
    ...rowsOf("may", capabilities.map(reachText)),
    ...(before === null
      ? [row("active", "none: this would be its first revision")]
      : [row("active", before), ...rowsOf("beyond it", widens.map(capabilityText))]),
    row("judges", judgesText(dossier)),
    ...judged.flatMap(({ role, pass, by, findings }) => [
      row(role, `${by} recorded ${pass ? "a pass" : "no pass"}`),
      ...findings.map(({ severity, description }) => row("", `${severity}: ${description}`)),
    ]),
    ...(notes.length === 0 ? [] : rowsOf("note", notes)),
    ...(unfamiliar.length === 0
      ? []
      : rowsOf(
          "unknown import",
          unfamiliar.map(({ file, line, module }) => `${file}:${line}: ${module}`),
        )),
    row("risk", factors.join(", ") || "none"),
    row("artifact", artifact),
    ...rowsOf(
      "evidence",
      evidence.map(
        ({ file, line, pattern, capability }) => `${file}:${line}: ${pattern} (${capability})`,
      ),
    ),
    ...rowsOf(
      "threat",
      threats.map(
        ({ file, line, pattern, severity }) => `${file}:${line}: ${pattern} (${severity})`,
      ),
    ),
  ].join("\n");
}

/** Kinds for which judges are asked. Source: seed 003, required: promotion_gate. */
const JUDGED = ["NetworkAccess", "CodeExecution", "AgentSpawn"];

/** Whose judgement is asked, and why. */
function judgesText({ gates, artifactId, capabilities }: InstallDossier): string {
  const kinds = [...new Set(capabilities.map(({ type }) => type))].filter((one) =>
    JUDGED.includes(one),
  );
  if (gates.length > 0) {
    const why =
      kinds.length === 0 ? "the planner asked for them" : `it declares ${kinds.join(", ")}`;
    return `${gates.join(" and ")}, since ${why}`;
  }
  if (artifactId === null) return "none is asked: it brings no code of its own";
  return kinds.length === 0
    ? "none is asked: it declares nothing that they judge"
    : "none is asked, although it declares what they judge";
}

/** `NetworkAccess hosts ["*"]` */
const capabilityText = ({ type, ...fields }: InstallDossier["capabilities"][number]): string =>
  [type, ...Object.entries(fields).map(([name, value]) => `${name} ${JSON.stringify(value)}`)].join(
    " ",
  );

function rowsOf(name: string, texts: readonly string[]): readonly string[] {
  const rows = texts.slice(0, PLACES_MAX).map((text) => row(name, text));
  const rest = texts.length - rows.length;
  if (rows.length === 0) return [row(name, "none")];
  return rest > 0 ? [...rows, row("", `… and ${rest} more`)] : rows;
}
