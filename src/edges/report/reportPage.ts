/**
 * A report as one static HTML file that loads nothing and runs nothing. The markdown is ours but
 * quotes agents and recordings of strangers, so HTML in it is shown as text, images are not
 * fetched, and only web, mail and relative addresses become links.
 */
import Markdown, { type MarkdownIt, type Token } from "markdown-it";
import { htmlPage } from "../htmlPage.ts";

/** Nothing but the inline styles of the page and its picture; no script, frame, form or request. */
const contentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const webAddress = /^(?:https?:\/\/|mailto:)/i;
/** Without a colon it has no scheme, and one slash at most leads to no other host. */
const relativeAddress = /^(?:#|\.{0,2}\/?[\w%-])[^:]*$/;

const style = `
:root { color-scheme: light dark; --text: #1f2933; --quiet: #5a6370; --page: #fff; --line: #d5d9de;
  --code: #f3f5f7; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e7eb; --quiet: #a3adb8; --page: #14181d; --line: #3a434d; --code: #20262d;
    --link: #7ab8ff; }
}
* { box-sizing: border-box; }
body { container-type: inline-size; margin: 0; padding: 2rem 1rem 4rem; background: var(--page); color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
main { max-width: 44rem; margin: 0 auto; overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2.2em 0 0.6em; text-wrap: balance; }
h1 { font-size: 1.9rem; margin-top: 0; }
h2 { font-size: 1.35rem; padding-bottom: 0.25em; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.1rem; }
p, ul, ol, pre, blockquote, .table { margin: 0 0 1.1rem; }
ul, ol { padding-left: 1.6rem; }
li { margin: 0.2rem 0; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: 0.875em; }
code { background: var(--code); border-radius: 4px; padding: 0.1em 0.3em; }
pre { background: var(--code); border-radius: 6px; padding: 0.9rem 1rem; overflow-x: auto;
  font-size: 0.85rem; line-height: 1.5; }
pre code { background: none; padding: 0; font-size: inherit; }
blockquote { padding-left: 1rem; border-left: 3px solid var(--line); color: var(--quiet); }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums;
  overflow-wrap: normal; }
th, td { padding: 0.4rem 0.9rem 0.4rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); }
th { border-bottom-width: 2px; vertical-align: bottom; line-height: 1.35; }
figure { --wide: min(960px, 100cqw); width: var(--wide); overflow-x: auto;
  margin: 1.8rem 0 1.8rem calc(50% - var(--wide) / 2); border: 1px solid var(--line);
  border-radius: 6px; background: #fff; }
figure svg { display: block; width: 100%; min-width: 640px; height: auto; }
@media print {
  :root { --text: #000; --quiet: #444; --page: #fff; --line: #bbb; --code: #f3f3f3; --link: #000; }
  body { padding: 0; font-size: 10.5pt; }
  main { max-width: none; }
  figure { width: 100%; margin-left: 0; overflow: visible; border: 0; }
  figure svg { min-width: 0; }
  pre { white-space: pre-wrap; }
  .table { overflow: visible; }
  figure, pre, tr { break-inside: avoid; }
  h1, h2, h3 { break-after: avoid; }
}
`;

export interface ReportPage {
  /** Shown by the browser, and as heading if the markdown has none of the first level. */
  readonly title: string;
  readonly markdown: string;
  /** One `<svg>` as `drawRun` makes it, placed as it is; or empty. */
  readonly svg: string;
}

/** The page as HTML; the picture follows the first heading and the paragraph right below it. */
export function reportPage(page: ReportPage): string {
  const title = safeMarkdown().utils.escapeHtml(page.title);
  const body = `<main>\n${reportBody(page)}</main>`;
  return htmlPage({ policy: contentPolicy, title, style, body });
}

/** As safe as on a page: HTML in it is text. */
export const markdownHtml = (markdown: string): string => safeMarkdown().render(markdown);

/** What stands in it. */
export function reportBody(page: ReportPage): string {
  const markdown = safeMarkdown();
  const tokens = markdown.parse(page.markdown, {});
  const split = pictureIndex(tokens);
  const render = (part: Token[]): string => markdown.renderer.render(part, markdown.options, {});
  const title = markdown.utils.escapeHtml(page.title);
  const figure = page.svg === "" ? "" : `<figure>${page.svg}</figure>\n`;
  const heading = split === 0 ? `<h1>${title}</h1>\n` : "";
  return `${heading}${render(tokens.slice(0, split))}${figure}${render(tokens.slice(split))}`;
}

/** Its defaults escape HTML; this also narrows the links and lets wide tables scroll. */
function safeMarkdown(): MarkdownIt {
  const markdown = new Markdown("default", { html: false, linkify: false }).disable("image");
  markdown.validateLink = (address) => webAddress.test(address) || relativeAddress.test(address);
  const { rules } = markdown.renderer;
  rules.link_open = (tokens, index, options, _env, renderer) => {
    tokens[index]?.attrSet("rel", "noopener noreferrer");
    return renderer.renderToken(tokens, index, options);
  };
  rules.table_open = () =>
    `<div class="table" role="region" aria-label="Table" tabindex="0">\n<table>\n`;
  rules.table_close = () => "</table>\n</div>\n";
  return markdown;
}

/** Where the picture goes among the tokens; 0 without a heading of the first level. */
function pictureIndex(tokens: readonly Token[]): number {
  const heading = tokens.findIndex(({ type, tag }) => type === "heading_close" && tag === "h1") + 1;
  if (heading === 0 || tokens[heading]?.type !== "paragraph_open") return heading;
  return tokens.findIndex(({ type }, index) => index > heading && type === "paragraph_close") + 1;
}
