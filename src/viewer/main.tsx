/** Where the page begins: it reads what it was given and shows it. */
import { render } from "preact";
import { Page } from "./page.tsx";
import { PageLog } from "./pageLog.ts";
import { Rows } from "./rows.ts";
import { pageSource } from "./source.ts";

async function show(): Promise<void> {
  const app = document.getElementById("app");
  if (app === null) return;
  try {
    const source = pageSource();
    const log = new PageLog(source.head, await source.columns());
    render(<Page log={log} rows={new Rows(source)} />, app);
  } catch (error) {
    app.textContent = `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
  }
}

void show();
