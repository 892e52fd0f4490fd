/**
 * The one authority on executor names: `verb_object[_qualifier[_descriptor]][_provider]` from a
 * closed vocabulary, and the words that mean one of its own. Source: seed 002, 4.2.3; ruling Y14; the
 * order of the checks is the real system's, and so are the tables, in our words.
 */
import { ownValue } from "../ownValue.ts";
import { subset, type ValuesOf } from "../policyLeaf.ts";

/** The seed's 23 come first. */
const ACTIONS = [
  ..."read write move delete create find list filter sort group classify get set send".split(" "),
  ..."describe render extract compress compute compare change order share".split(" "),
  ..."open login act install".split(" "),
] as const;
const SEED_ACTIONS = ACTIONS.slice(0, 23);

const OBJECTS = [
  ..."files dirs packages messages events contacts places processes urls numbers".split(" "),
  ..."images signatures texts proposals persons tasks inputs credentials issues".split(" "),
  ..."pulls calendars entries approval lists skills sites preferences".split(" "),
] as const;
const SEED_OBJECTS = OBJECTS.slice(0, 22);

/** Names outside the vocabulary that the seed itself uses. */
const SEED_EXAMPLES = [
  "format_json",
  "archive_pdf",
  "store_pdf",
  "order_image_file",
  "order_audio_file",
  "order_doc_file",
  "order_file",
] as const;

export const syntNamingLeaves = {
  actions: subset(SEED_ACTIONS, ACTIONS, {
    says: "Verbs that may begin a name.",
    source: "seed 002, 4.2.3 (23, certain); RULINGS Y14; profile real has the later edition's 27",
  }),
  objects: subset(SEED_OBJECTS, OBJECTS, {
    says: "Objects that may follow the verb.",
    source:
      "seed 002, 4.2.3 (22; which ones is inferred from dated comments); RULINGS Y14; profile real 27",
  }),
  exceptions: subset([], SEED_EXAMPLES, {
    says: "Whole names that are admitted although a part of them is outside the vocabulary.",
    source: "seed 002 uses these names; RULINGS Y14",
  }),
};

export type NamingPolicy = ValuesOf<typeof syntNamingLeaves>;

/** What profile `real` changes: the later edition. */
export const laterVocabulary = {
  "synt.naming.actions": ACTIONS,
  "synt.naming.objects": OBJECTS,
};

/** Whole names of the system's own executors. Source: the real system's closed list. */
export const SYSTEM_NAMES: readonly string[] = [
  "undo_last_turn",
  "consult_frontier",
  "start_lre",
  "get_now",
  "get_location",
  "admin",
  "find_entries",
];

/** Verbs that no executor may take. */
const SYSTEM_VERBS: readonly string[] = ["admin", "undo", "synthesize", "consult", "audit"];

/** Verbs of which any may stand in for another, in the order in which they are tried. */
export const PRODUCERS: readonly string[] = ["get", "find", "read", "list"];

export const PROVIDERS: readonly string[] = ["github", "google_workspace", "google_photos"];

/** The objects each qualifier goes with; null for all. */
export const QUALIFIERS: { readonly [qualifier: string]: readonly string[] | null } = {
  ...forAll("csv json xml text", "files messages"),
  ...forAll("xlsx zip gz tar video audio image spreadsheet doc loc", "files"),
  ...forAll("pdf html", "files messages urls"),
  ...forAll("ocr", "files images"),
  ...forAll("hash", "files signatures"),
  ...forAll("lines paragraphs sentences", "messages texts"),
  ...forAll("pages", "files texts"),
  ...forAll("segments", "files messages texts"),
  ...forAll("indices", "images messages persons texts"),
  ...forAll("history", "tasks"),
  ...forAll("thread", "messages"),
  ...forAll("labels", "issues messages pulls"),
  ...forAll("blacklist whitelist graylist forbidden seed sanity", "signatures"),
  ...forAll("command reversibility diff promotion", "signatures"),
  ...forAll("candidates", "proposals signatures"),
  ...forAll("github", "dirs files issues messages pulls tasks"),
  ...forAll("google_workspace", "calendars contacts dirs events files messages persons"),
  ...forAll("google_photos", "images"),
  size: null,
  format: null,
  similar: null,
  empty: null,
  web: null,
};

function forAll(qualifiers: string, objects: string) {
  return Object.fromEntries(qualifiers.split(" ").map((name) => [name, objects.split(" ")]));
}

/** The real system's bound on a descriptor. */
const DESCRIPTOR_CHARS_MAX = 30;
const DESCRIPTOR = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Objects that only some verbs go with, in memory as they are. */
const VERBS_OF_LISTS: readonly string[] = ["filter", "compute"];
const VERBS_NOT_OF_ENTRIES: readonly string[] = ["find", "read", "get"];

export interface NameParts {
  readonly verb: string;
  readonly object: string;
  readonly qualifier: string | null;
  readonly descriptor: string | null;
  readonly provider: string | null;
  /** The name without its descriptor; its provider may stand behind it or not. */
  readonly canonical: string;
}

export type NameRule =
  | "syntax"
  | "reserved-verb"
  | "verb"
  | "object"
  | "lists"
  | "qualifier"
  | "compatibility"
  | "level"
  | "entries"
  | "descriptor";

export interface NameVerdict {
  readonly ok: boolean;
  /** The rule that turns it down, and why; null when it is admitted. */
  readonly rule: NameRule | null;
  readonly reason: string | null;
  /** Why a name is admitted that no rule looked at. */
  readonly exception: "policy" | "system" | null;
  readonly parts: NameParts | null;
  /** The same name in words of the vocabulary; null when a part has none, or none is needed. */
  readonly means: string | null;
}

/** The parts of a name, whatever the words; null when there are not two to four of them. */
export function parseName(name: string): NameParts | null {
  const provider = providerAfterQualifier(name);
  const head = provider === null ? name : name.slice(0, -provider.length - 1);
  const [verb, object, qualifier = null, descriptor = null, ...more] = partsOf(head);
  if (verb === undefined || object === undefined || more.length > 0) return null;
  const canonical = [verb, object, qualifier, provider].filter((part) => part !== null).join("_");
  return { verb, object, qualifier, descriptor, provider, canonical };
}

/** A provider right after the object takes the place of the qualifier, and is no suffix. */
function providerAfterQualifier(name: string): string | null {
  const provider = PROVIDERS.find((one) => name.endsWith(`_${one}`));
  if (provider === undefined) return null;
  return name.slice(0, -provider.length - 1).split("_").length > 2 ? provider : null;
}

/** Split at `_`, but a provider of two words is one part: no object, so that verb and object stand before it. */
function partsOf(name: string): string[] {
  const provider = PROVIDERS.find((one) => name.endsWith(`_${one}`));
  if (provider === undefined) return name.split("_");
  const head = name.slice(0, -provider.length - 1).split("_");
  return head.length === 1 && provider.includes("_") ? head : [...head, provider];
}

/** `live` are the names in the pool; without it a descriptor needs no living canonical. */
export function checkName(
  name: string,
  policy: NamingPolicy,
  live?: readonly string[],
): NameVerdict {
  const parts = parseName(name);
  const admitted = { ok: true, rule: null, reason: null, means: null, parts };
  if ((policy.exceptions as readonly string[]).includes(name)) {
    return { ...admitted, exception: "policy" };
  }
  if (SYSTEM_NAMES.includes(name)) return { ...admitted, exception: "system" };
  const fault = parts === null ? SYNTAX : faultOf(parts, policy, live);
  if (fault === null) return { ...admitted, exception: null };
  const [rule, reason] = fault;
  return { ok: false, rule, reason, exception: null, parts, means: meantBy(parts, policy) };
}

type Fault = readonly [rule: NameRule, reason: string];

const SYNTAX: Fault = ["syntax", "not of the form verb_object[_qualifier[_descriptor]][_provider]"];

function faultOf(parts: NameParts, policy: NamingPolicy, live?: readonly string[]): Fault | null {
  const { verb, object, canonical, descriptor } = parts;
  const { actions, objects } = policy as { readonly [part: string]: readonly string[] };
  if (SYSTEM_VERBS.includes(verb)) return ["reserved-verb", `${verb} is a verb of the system`];
  if (!actions?.includes(verb)) {
    return ["verb", `${quotedWord(verb)} is none of the ${actions?.length} verbs`];
  }
  if (!objects?.includes(object)) {
    return ["object", `${quotedWord(object)} is none of the ${objects?.length} objects`];
  }
  if (object === "lists" && !VERBS_OF_LISTS.includes(verb)) {
    return ["lists", `lists go with ${VERBS_OF_LISTS.join(" and ")} only`];
  }
  const unfit = qualifierFault(parts);
  if (unfit !== null) return unfit;
  if (descriptor !== null && live !== undefined && !narrowsLiving(parts, live)) {
    return ["level", `one level at a time: ${canonical} is not in the pool`];
  }
  if (object === "entries" && VERBS_NOT_OF_ENTRIES.includes(verb)) {
    return ["entries", "entries are in memory: nothing finds, reads or gets them"];
  }
  return descriptor === null ? null : descriptorFault(descriptor, [...actions, ...objects]);
}

/**
 * Whether a name with a descriptor narrows an executor of the pool: of its provider, or of none, for a provider says where and
 * not what.
 */
function narrowsLiving({ canonical, provider }: NameParts, live: readonly string[]): boolean {
  const plain = provider === null ? canonical : canonical.slice(0, -provider.length - 1);
  return live.includes(canonical) || live.includes(plain);
}

function qualifierFault({ object, qualifier, provider }: NameParts): Fault | null {
  for (const part of [qualifier, provider]) {
    if (part === null) continue;
    if (ownValue(QUALIFIERS, part) === undefined) {
      return ["qualifier", `${quotedWord(part)} is no qualifier`];
    }
    if (!goesWith(part, object)) return ["compatibility", `${part} does not go with ${object}`];
  }
  return null;
}

function descriptorFault(descriptor: string, words: readonly string[]): Fault | null {
  if (!DESCRIPTOR.test(descriptor)) {
    return [
      "descriptor",
      `${quotedWord(descriptor)} is not kebab-case: a-z, 0-9, single hyphens inside`,
    ];
  }
  if (descriptor.length > DESCRIPTOR_CHARS_MAX) {
    return ["descriptor", `a descriptor has at most ${DESCRIPTOR_CHARS_MAX} characters`];
  }
  return words.includes(descriptor)
    ? ["descriptor", `${quotedWord(descriptor)} is a word of the vocabulary`]
    : null;
}

const quotedWord = (word: string): string => JSON.stringify(word);

/** Whether a qualifier is known and goes with an object. */
export function goesWith(qualifier: string, object: string): boolean {
  const objects = ownValue(QUALIFIERS, qualifier);
  return objects === null || objects?.includes(object) === true;
}

/** Synonyms put in their place: `read_appointments` means read_events. */
function meantBy(parts: NameParts | null, policy: NamingPolicy): string | null {
  if (parts === null) return null;
  const { verb, object, qualifier, descriptor, provider } = parts;
  const words = [
    canonicalAction(verb),
    canonicalObject(object),
    ...[qualifier, descriptor, provider].filter((part) => part !== null),
  ];
  const name = words.join("_");
  const { ok } = words.includes(null) ? { ok: false } : checkedOnce(name, policy);
  return ok ? name : null;
}

function checkedOnce(name: string, policy: NamingPolicy): { readonly ok: boolean } {
  const parts = parseName(name);
  return { ok: parts !== null && faultOf(parts, policy) === null };
}

/** `<last_verb>_<first_object>`, the name of a chain taken as one executor; seed 002, chapter 2. */
export function chainName(chain: readonly string[]): string | null {
  const last = parseName(chain.at(-1) ?? "");
  const first = parseName(chain[0] ?? "");
  return last === null || first === null ? null : `${last.verb}_${first.object}`;
}

/** Words for an object, English and Italian. Ours, in the spirit of the real system's table. */
const OBJECT_WORDS = wordsOf({
  files: "file document documents documento documenti attachment attachments allegato allegati",
  dirs: "dir directory directories folder folders cartella cartelle",
  packages: "package pacchetto pacchetti program programs programma programmi",
  messages: "message mail mails email emails messaggio messaggi posta",
  events:
    "event appointment appointments meeting meetings calendar agenda appuntamento appuntamenti " +
    "evento eventi calendario",
  contacts: "contact contatto contatti",
  places: "place luogo luoghi address addresses indirizzo indirizzi",
  processes: "process processo processi",
  urls: "url link links page webpage webpages website pagina",
  numbers: "number numero numeri",
  images: "image picture pictures photo photos immagine immagini foto",
  signatures: "signature firma firme",
  texts: "text testo testi string strings",
  proposals: "proposal proposta proposte",
  persons: "person people face faces persona persone",
  tasks: "task timer timers reminder reminders promemoria attività",
  inputs: "input",
  credentials: "credential password passwords credenziali",
  issues: "issue ticket tickets",
  pulls: "pull pr prs|pull request|pull requests|merge request|merge requests",
  calendars: "calendari",
  entries: "entry row rows record records riga righe",
  approval: "approve approvals approvazione",
  lists: "list lista liste",
  skills: "skill",
  sites: "site sito siti",
  preferences: "preference setting settings option options preferenza preferenze impostazioni",
});

/** Words for a verb, English and Italian. Ours; "synonyms before vocabulary" (seed 002, 4.2.3). */
const ACTION_WORDS = wordsOf({
  read: "load view parse leggi leggere",
  write: "save store put append scrivi salva",
  move: "rename relocate archive sposta rinomina",
  delete: "remove erase drop purge cancella elimina rimuovi",
  create: "make add new build crea aggiungi",
  find: "search look locate check verify cerca trova controlla",
  list: "enumerate show elenca mostra",
  filter: "select keep exclude match filtra",
  sort: "rank ordina",
  group: "cluster bucket raggruppa",
  classify: "label tag categorize categorise classifica",
  get: "fetch retrieve download query ottieni scarica",
  set: "update assign configure edit imposta aggiorna",
  send: "mail post notify deliver invia manda",
  describe: "summarize summarise explain descrivi riassumi",
  render: "draw plot display",
  extract: "unzip unpack pull estrai",
  compress: "zip pack comprimi",
  compute: "calculate count sum measure calcola conta",
  compare: "diff confronta",
  change: "convert transform format converti trasforma",
  order: "arrange organize organise riordina organizza",
  share: "publish condividi",
  open: "launch apri",
  login: "signin accedi",
  act: "click fill",
  install: "setup installa",
});

function wordsOf(table: { readonly [word: string]: string }): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([meant, said]) => {
      const [single = "", ...phrases] = said.split("|");
      return [meant, ...single.split(" "), ...phrases].map((word) => [word, meant] as const);
    }),
  );
}

/** The object that a word means, whatever its case; null for an unknown word. */
export const canonicalObject = (word: string): string | null =>
  OBJECT_WORDS.get(word.trim().toLowerCase()) ?? null;

/** The verb that a word means. */
export const canonicalAction = (word: string): string | null =>
  ACTION_WORDS.get(word.trim().toLowerCase()) ?? null;
