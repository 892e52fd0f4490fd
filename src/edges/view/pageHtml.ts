/**
 * The page as one HTML text. It loads nothing by itself; its policy lets its own script run by hash and no other. All that a
 * run says stands in it as data, and the script puts it into text nodes.
 */
import { createHash } from "node:crypto";
import { pageStyle } from "../../viewer/pageStyle.ts";
import type { ViewPage } from "../../viewer/viewData.ts";
import { htmlPage } from "../htmlPage.ts";

export interface PageParts {
  readonly page: ViewPage;
  readonly script: string;
  /** What is shown where no script runs, as safe HTML. */
  readonly fallback: string;
  /** Texts by the id under which the script finds them; none of a page that asks its server. */
  readonly data: Iterable<readonly [id: string, text: string]>;
  /** It may ask its own server, and nobody else. */
  readonly isServed?: true;
}

export const escapedHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** JSON in which nothing ends an element. */
const elementJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Within an element of HTML a script must not name its own end. */
export const safeScript = (script: string): string =>
  script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

/** What the page may do: run this script, and nothing else. */
export function pagePolicy(script: string, isServed = false): string {
  const hash = createHash("sha256").update(script).digest("base64");
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    ...(isServed ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** Ours: characters of a head that stand in a page that could ask for it. */
const HEAD_MOST = 400_000;

export function pageHtml({ page, script, fallback, data, isServed }: PageParts): string {
  const safe = safeScript(script);
  const head = elementJson(page);
  // Of a long run the page is drawn before its head has come.
  const isApart = isServed && head.length > HEAD_MOST;
  const pieces = [...data].map(
    ([id, text]) => `<script type="text/plain" id="${id}">${text}</script>`,
  );
  return htmlPage({
    policy: pagePolicy(safe, isServed),
    title: `${escapedHtml(page.beside?.names.join(" beside ") ?? page.runs[0]?.title ?? "")} · Ghostlight`,
    style: pageStyle,
    body: [
      `<div id="app"></div>`,
      `<noscript><main class="plain">${fallback}</main></noscript>`,
      `<script type="application/json" id="head">${isApart ? "null" : head}</script>`,
      pieces.join("\n"),
      `<script>${safe}</script>`,
    ].join("\n"),
  });
}
