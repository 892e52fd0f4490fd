/** `ghostlight view`: runs and logs on a page of this machine's browser. */
import { badInput, quoted } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import type { PartLists } from "../edges/parts/partLists.ts";
import { openInBrowser } from "../edges/view/browser.ts";
import { Player } from "../edges/view/player.ts";
import { isStudyFolder, STUDY_PATH, studyPages } from "../edges/view/studyPages.ts";
import {
  type Listed,
  listed,
  type ViewPages,
  viewPages,
  worstFirst,
} from "../edges/view/viewPages.ts";
import { type ViewServer, viewServer } from "../edges/view/viewServer.ts";
import { opened, openedBoth } from "../edges/view/viewSources.ts";
import { clockMs } from "../viewer/clockText.ts";
import { addressText } from "../viewer/pageAddress.ts";
import type { JsonFlag } from "./bundles.ts";
import { partLists } from "./chosenParts.ts";
import { clearProgress, note, print, printJson, progress } from "./output.ts";
import { interruptible } from "./signals.ts";

export interface ViewFlags extends JsonFlag {
  readonly port?: string;
  readonly at?: string;
  readonly actor?: string;
  readonly out?: string;
  readonly follow?: boolean;
  /** Points of a study are played when the page asks. */
  readonly play?: boolean;
  /** False with `--no-browser`. */
  readonly browser: boolean;
}

export async function viewCommand(
  path: string | undefined,
  other: string | undefined,
  flags: ViewFlags,
): Promise<number> {
  const port = portOption(flags.port);
  const hash = hashOf(flags);
  const lists = await partLists(flags);
  const stop = interruptible("closing the page");
  progress("reading");
  const options = { out: flags.out, signal: stop.signal, isFollowed: flags.follow };
  const study = path !== undefined && other === undefined && isStudyFolder(path);
  refuseUnfit(flags, study);
  const { folders, notes, dispose } = await (study
    ? { folders: [path], notes: [], dispose: () => {} }
    : other === undefined
      ? opened(lists, path, options)
      : openedBoth(lists, [path ?? "", other], options));
  const player = new Player(lists);
  try {
    if (stop.signal.aborted) return EXIT.interrupted;
    const isPair = other !== undefined;
    const isOne = folders.length < 2 || isPair;
    const all = isOne ? [] : looked(lists, folders);
    const isFollowed = flags.follow ?? false;
    const pages = study
      ? studyPages(lists, folders[0] ?? "", { player, isPlayed: flags.play ?? false })
      : viewPages(
          { lists, folders, notes, isPair, isFollowed, tell: progress, partFiles: flags.part },
          all,
          player,
        );
    // Whatever cannot be shown is refused before an address is told.
    if (isOne && !isFollowed) pages.open();
    clearProgress();
    const first = study ? STUDY_PATH : isPair ? "0-1/" : isOne ? "0/" : "";
    const server = await listening(pages, port);
    const address = `${server.origin}${first}${server.query}${hash}`;
    notes.forEach(note);
    if (flags.json) printJson({ address, bundles: folders, notes });
    else print(address);
    note("Open it in a browser of this machine; Ctrl-C ends it.");
    if (flags.browser && process.stdout.isTTY) await openInBrowser(address);
    await new Promise<void>((done) => {
      if (stop.signal.aborted) done();
      stop.signal.addEventListener("abort", () => done());
    });
    await server.close();
    return EXIT.ok;
  } finally {
    stop.dispose();
    player.dispose();
    dispose();
  }
}

/** Each looked into, the worst first. */
const looked = (lists: PartLists, folders: readonly string[]): readonly Listed[] =>
  worstFirst(
    folders.map((folder, at) => {
      progress(`looking at ${at + 1} of ${folders.length}`);
      return listed(lists, folder);
    }),
  );

/** Throws BadInput for what goes with a study alone, or with none. */
function refuseUnfit({ play, follow, at, actor, out }: ViewFlags, isStudy: boolean): void {
  if (play && !isStudy) {
    throw badInput(
      "--play",
      "it without the folder of a study",
      "the folder that a study left, such as runs/study-NAME",
      "Omit it: variants of a run are played from its page without.",
    );
  }
  if (!isStudy || (!follow && at === undefined && actor === undefined && out === undefined)) return;
  throw badInput(
    "view",
    "a study with an option of runs",
    "--play, --port and --no-browser",
    "Omit --follow, --at, --actor and --out.",
  );
}

async function listening(pages: ViewPages, port: number): Promise<ViewServer> {
  try {
    return await viewServer(pages, {
      port,
      onError: (error) => note(error instanceof Error ? error.message : String(error)),
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw badInput(
      "--port",
      `a port that cannot be had (${code})`,
      "a port that nobody uses",
      "Omit --port: a free one is taken.",
    );
  }
}

function portOption(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 1 && port <= 65_535) return port;
  throw badInput("--port", quoted(text), "1 … 65535", "Omit it: a free one is taken.");
}

function hashOf({ at, actor }: ViewFlags): string {
  const atMs = at === undefined ? undefined : clockMs(at);
  if (at !== undefined && atMs === undefined) {
    throw badInput(
      "--at",
      quoted(at),
      "a virtual time such as 0:44:26 or 44m26s",
      "Omit it: the page opens where it went wrong.",
    );
  }
  if (atMs === undefined && actor === undefined) return "";
  return addressText({
    ...(atMs !== undefined && { atMs }),
    ...(actor !== undefined && { actor }),
  });
}
