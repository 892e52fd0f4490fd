/** Where the page begins: it reads what it was given and shows it; of a run that still goes, also what comes. */
import { render } from "preact";
import { Page } from "./page.tsx";
import { PageLog } from "./pageLog.ts";
import { Rows } from "./rows.ts";
import { followed, pageHead, sourcesOf } from "./source.ts";
import type { ViewPage } from "./viewData.ts";
import type { Run } from "./viewState.ts";

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

async function show(app: HTMLElement): Promise<void> {
  const page = pageHead();
  let runs = await opened(page, []);
  const draw = (live: Parameters<typeof Page>[0]["live"]): void => {
    render(<Page {...{ runs, live }} beside={page.beside} />, app);
  };
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
      const next = await followed.page();
      runs = await opened(next, runs);
      version = now;
      isOver = !next.runs.some((one) => one.isFollowed);
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
