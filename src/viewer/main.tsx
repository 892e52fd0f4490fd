/** Where the page begins: it reads what it was given and shows it; of a run that still goes, also what comes. */
import { options, render } from "preact";
import type { Asks } from "./decided.tsx";
import { Page } from "./page.tsx";
import { readAddress } from "./pageAddress.ts";
import { PageLog } from "./pageLog.ts";
import { Rows } from "./rows.ts";
import { flagsBeside, followed, pageHead, posted, sourcesOf } from "./source.ts";
import type { Plays } from "./variants.tsx";
import type { ViewBeside, ViewPage } from "./viewData.ts";
import type { Run } from "./viewState.ts";

// What a stranger wrote may not move the words beside it: what turns a line is shown as its code, as on a terminal.
options.vnode = (node) => {
  const text: unknown = node.props;
  if (typeof text !== "string") return;
  const shown = text.replace(
    /\p{Bidi_Control}/gu,
    (code) => `\\u{${code.codePointAt(0)?.toString(16)}}`,
  );
  Reflect.set(node, "props", shown);
};

const opened = (page: ViewPage, before: readonly Run[]): Promise<readonly Run[]> =>
  Promise.all(
    sourcesOf(page).map(async (source, run) => ({
      log: new PageLog(source.head, await source.columns()),
      rows: new Rows(source, before[run]?.rows),
    })),
  );

/** Ms between two looks at a run that still goes. */
const LOOK_MS = 1_000;
/** In a row; a run that writes in that moment is read at the next look. */
const FAILURES_MOST = 5;

/** What stands side by side: the runs of the page, or its first run and the variant that the address names. */
interface Shown {
  readonly runs: readonly Run[];
  readonly beside: ViewBeside | null;
}

/** Of a page that holds variants: the run alone, or with the variant of that name. */
async function withVariant(
  { plays }: ViewPage,
  [run, ...others]: readonly Run[],
  name: string,
): Promise<Shown> {
  const here = plays?.all.filter(({ beside }) => beside !== null) ?? [];
  const number = here.findIndex((one) => one.name === name);
  const [beside, other] = [here[number]?.beside ?? null, others[number]];
  if (run === undefined) return { runs: [], beside: null };
  if (beside === null || other === undefined) return { runs: [run], beside: null };
  const columns = { ...run.log.columns, flags: await flagsBeside(number + 1) };
  return { runs: [{ ...run, log: new PageLog(run.log.head, columns) }, other], beside };
}

/** Opens what is asked for beside the run: on this page, or on one that the server makes. */
function playsOf({ plays }: ViewPage): Plays | null {
  if (plays === null) return null;
  const open: Plays["open"] = async ({ name, beside }, onMs) => {
    if (beside !== null) location.assign(`#with=${encodeURIComponent(name)}`);
    else {
      const told = posted("play", { variant: name }, ({ virtualMs = 0 }) => onMs(virtualMs));
      location.assign(`../${await told}/${location.search}`);
    }
  };
  return { ...plays, open };
}

async function show(app: HTMLElement): Promise<void> {
  let page = await pageHead();
  let runs = await opened(page, []);
  const named = (): string => readAddress(location.hash).with ?? "";
  let name = named();
  const holdsVariants = page.beside === null && page.runs.length > 1;
  let shown: Shown = { runs, beside: page.beside };
  const renewed = async (): Promise<void> => {
    page = await followed.page();
    runs = await opened(page, runs);
    shown = { runs, beside: page.beside };
    [plays, asks] = [playsOf(page), asksOf(page)];
  };
  const asksOf = ({ asks }: ViewPage): Asks | null =>
    asks && {
      ...asks,
      ask: async (keep, onSays) => {
        await posted("blame", { keep }, ({ says = "" }) => onSays(says));
        await renewed();
        draw("");
        app.querySelector(".decided")?.scrollIntoView();
      },
    };
  // Made when the page changes alone: what is drawn is kept while they are the same.
  let [plays, asks] = [playsOf(page), asksOf(page)];
  const draw = (live: Parameters<typeof Page>[0]["live"]): void => {
    const { alone } = page;
    const onAlone = holdsVariants
      ? () => location.assign("#")
      : alone === null
        ? null
        : () => location.assign(`${alone}${location.search}`);
    render(
      <Page
        key={holdsVariants ? name : ""}
        {...{ ...shown, live }}
        plays={plays}
        asks={asks}
        onAlone={shown.runs.length > 1 ? onAlone : null}
      />,
      app,
    );
  };
  if (holdsVariants) {
    shown = await withVariant(page, runs, name);
    addEventListener("hashchange", async () => {
      if (named() === name) return;
      name = named();
      shown = await withVariant(page, runs, name);
      draw("");
    });
  }
  const isFollowed = page.runs.some((one) => one.isFollowed);
  draw(isFollowed ? "still" : "");
  if (!isFollowed) return;
  let version = "";
  let failures = 0;
  for (let isOver = false; !isOver; ) {
    await new Promise((done) => setTimeout(done, LOOK_MS));
    try {
      const now = await followed.version();
      if (now === version) continue;
      await renewed();
      version = now;
      isOver = !page.runs.some((one) => one.isFollowed);
      failures = 0;
      draw(isOver ? "" : "still");
    } catch (error) {
      failures += 1;
      if (failures < FAILURES_MOST) continue;
      const why = error instanceof Error ? error.message : String(error);
      draw({ fault: `What is new cannot be read: ${why}` });
    }
  }
}

const app = document.getElementById("app");
if (app !== null) {
  show(app).catch((error: unknown) => {
    app.textContent = `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
  });
}
