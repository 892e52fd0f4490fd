/** What `blame` found, left in the bundle of its run: as a file for the page of the run, and in words at the end of its report. */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ViewBlame } from "../../viewer/viewData.ts";
import { FILES } from "../bundle/bundleWriter.ts";
import { markdownHtml } from "../report/reportPage.ts";
import { writeWhole } from "../wholeFile.ts";
import { blameFileText } from "./blameFile.ts";
import { DECIDED, decidedText } from "./blameText.ts";

const SECTION = '<section id="decided">';
const END = "</main>";

/** What was kept before gives way; so does a link, and not what it leads to. Gives the files that tell it; throws OutputRefused. */
export function keepBlame(folder: string, digest: string, shown: ViewBlame): readonly string[] {
  const file = join(folder, FILES.blame);
  writeWhole("--keep", file, [blameFileText(shown, digest)], "wx");
  const words = decidedText(shown);
  const isInReport = retold(join(folder, FILES.report), (text) => {
    const [before = ""] = text.split(`\n${DECIDED}`, 1);
    return `${before.trimEnd()}\n\n${words}\n`;
  });
  const isOnPage = retold(join(folder, FILES.page), (text) => {
    const end = text.lastIndexOf(END);
    if (end < 0) return undefined;
    const [before = ""] = text.slice(0, end).split(SECTION, 1);
    return `${before}${SECTION}\n${markdownHtml(words)}</section>\n${text.slice(end)}`;
  });
  return [file, ...(isInReport ? [FILES.report] : []), ...(isOnPage ? [FILES.page] : [])];
}

/** False where there is no such file, or nothing can be told in it. */
function retold(file: string, tell: (text: string) => string | undefined): boolean {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  const text = tell(readFileSync(file, "utf8"));
  if (text === undefined) return false;
  writeWhole("--keep", file, [text], "wx");
  return true;
}
