/**
 * What each call of synt is told to do; its facts stand below it. Only naming is asked in two
 * languages, as requests come in both. Texts are ours. Source: seed 002, 4.2.3; dossier 1.3 and 1.5.
 */
import { matchers } from "./birthMatchers.ts";
import { WHITELISTED } from "./executorProfile.ts";
import type { SyntPurpose } from "./stageTable.ts";

const EXPECTATIONS = Object.entries(matchers)
  .map(([name, { wants }]) => `${name} (${wants})`)
  .join(", ");

const TEST_FORMAT =
  'Answer {"tests": [{"name", "setup", "input", "expect", "teardown"}]}. input: the arguments, an ' +
  "object. setup: files that are there before, text by path. teardown: paths that go afterwards. " +
  `expect: at least one of ${EXPECTATIONS}.`;

/** What holds of every executor, for the model that writes its code. */
const CONVENTIONS = [
  "Define invoke(args) at the top level; args is a dict of the arguments.",
  'Return a dict, never None: {"ok": True, …} with what the description says under OUT. Several ' +
    'things go into "entries" (a list of dicts) with "ok_count" and "fail_count".',
  'On failure return {"ok": False, "error": a sentence, "error_class": a short name}, and raise ' +
    'nothing. Wrong or missing arguments are error_class "invalid_args". An empty list is no failure.',
  "Read and write only what the arguments name and the capabilities allow; no environment, no clock " +
    "of your own, no printing, no input.",
  "Helpers are functions of the same file, above invoke.",
  `Import only ${WHITELISTED.join(", ")}.`,
].join("\n- ");

const FOUR_CHAPTERS =
  "SCOPO: what it does, in one sentence. PATTERN: one call with the names of real arguments, such " +
  "as name(arg=value). NON: what it is not for, and which executor is. OUT: the fields of its answer.";

export const TASKS: { readonly [purpose in SyntPurpose]: string } = {
  "synt.naming": [
    "EN. Name the executor that the request needs: {action}_{object}[_qualifier], all words from the " +
      "vocabulary. Prefer a synonym that is in the vocabulary to a new word. If no combination fits, " +
      "refuse and say why.",
    "revertible: it can be undone. To move or create can; to send never can; to delete or overwrite " +
      "can only if the request speaks of a copy that is kept. critical: it changes, sends or deletes " +
      "something. target_kind: path_glob (files), host (the network), exact (one named thing), none.",
    "IT. Dai un nome all'esecutore che serve alla richiesta: {action}_{object}[_qualifier], solo con " +
      "parole del vocabolario. Meglio un sinonimo del vocabolario che una parola nuova. Se nessuna " +
      "combinazione va bene, rifiuta e di' perché.",
    "revertible: si può annullare. Spostare o creare sì; inviare mai; cancellare o sovrascrivere solo " +
      "se la richiesta parla di una copia. critical: cambia, invia o cancella qualcosa. target_kind: " +
      "path_glob (file), host (rete), exact (una cosa precisa), none (nessuno).",
    'Answer / Rispondi {"name","revertible","critical","target_kind"}, or / oppure {"name": null, "reason"}.',
  ].join("\n"),
  "synt.signature": [
    "Give the executor of this name its arguments and permissions.",
    "args_schema: a JSON Schema of an object with type, properties and required, a description for " +
      "each property; what an earlier step yields is from_step, an integer. capabilities: the fewest " +
      "of closedCapabilities. reverse_pattern: one of reversePatterns when revertible, else null. " +
      "takes, gives: kinds of things, such as path, text, entries.",
    'Answer {"args_schema","capabilities","reverse_pattern","takes","gives"}.',
  ].join("\n"),
  "synt.tests": [
    "Write four to six birth tests for the executor, at least one each: a happy path (ok true), an " +
      'empty list (an input that holds [], {} or ""), invalid arguments (ok false or an error), and ' +
      "an edge of the domain.",
    TEST_FORMAT,
  ].join("\n"),
  "synt.description": [
    "Describe the executor for a planner that chooses among many.",
    `description: one line of 80 to 320 characters, at most 240 before OUT:. ${FOUR_CHAPTERS}`,
    "affinity: 6 to 10 words that a user would use for it.",
    'Answer {"description","affinity"}.',
  ].join("\n"),
  "synt.code": `Write the executor as one Python file, and nothing else.\n- ${CONVENTIONS}`,
  "synt.propose": [
    "Propose an executor for the request: name ({action}_{object}[_qualifier], words of the " +
      "vocabulary or an exception), description, arguments, permissions and code.",
    'Answer {"name","description","args_schema" (JSON Schema of an object),"capabilities",' +
      '"reverse_pattern": null,"takes","gives" (kinds of things),"code"}.',
    `- ${CONVENTIONS}`,
  ].join("\n"),
  "synt.pocTests": `Write three to five birth tests for the executor.\n${TEST_FORMAT}`,
  "synt.transform": [
    "Rewrite these executors as the wanted one. It does what each of them did, and reaches no more " +
      "than they do together.",
    'Answer {"name" (the wanted one),"description","args_schema","capabilities","reverse_pattern": null,' +
      '"takes","gives","affinity","tests","code"}.',
    `description: one line. ${FOUR_CHAPTERS}`,
    "affinity: 6 to 10 words. tests: four to six, at least a happy path, an empty list, invalid " +
      "arguments and an edge of the domain; each is an element of: " +
      TEST_FORMAT.replace("Answer ", ""),
    `- ${CONVENTIONS}`,
  ].join("\n"),
  "synt.judge":
    'Judge the proposal by each line of the rubric. Answer {"score": 0 … 1, "reasoning", "violates": ' +
    "the line that it breaks outright, or null}.",
  "synt.plan":
    'Answer {"steps": [names of executors, also of one that you miss], "towards": [executors that the ' +
    'missing one would lead to]}; no steps when you see no way, and then {"missing": a name}.',
};
