/**
 * The closed vocabulary of executor names, and the words that mean one of its own.
 * Source: seed 002, 4.2.3; ruling Y14; the real system's tables, in our words.
 */
import { subset } from "../policyLeaf.ts";

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
export const SYSTEM_VERBS: readonly string[] = ["admin", "undo", "synthesize", "consult", "audit"];

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
