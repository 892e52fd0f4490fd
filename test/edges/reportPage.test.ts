import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { reportPage } from "../../src/edges/report/reportPage.ts";

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>';

function pageOf(markdown: string, title = "Report"): string {
  return reportPage({ title, markdown, svg });
}

function parsed(html: string) {
  return parseHTML(html).document;
}

/** Names of the elements directly in `<main>`. */
function blocks(markdown: string): string[] {
  return [...(parsed(pageOf(markdown)).querySelector("main")?.children ?? [])].map((each) =>
    each.tagName.toLowerCase(),
  );
}

test("renders what our reports use", () => {
  const page = parsed(
    pageOf(`# Ghost

Text with **bold**, \`a < b\` and [a link](https://example.org/x).

1. one

- dot

| agent | goals |
| --- | ---: |
| cedar | 38 |

\`\`\`sh
run --seed 42
\`\`\`
`),
  );
  const text = (selector: string): string | undefined =>
    page.querySelector(selector)?.textContent?.trim();

  expect(text("h1")).toBe("Ghost");
  expect(text("strong")).toBe("bold");
  expect(text("p code")).toBe("a < b");
  expect(text("ol > li")).toBe("one");
  expect(text("ul > li")).toBe("dot");
  expect(text(".table > table td[style='text-align:right']")).toBe("38");
  expect(text("pre > code")).toBe("run --seed 42");
  expect(page.querySelector("a")?.getAttribute("href")).toBe("https://example.org/x");
});

test("puts the picture after the paragraph below the first heading", () => {
  expect(blocks("# A\n\nfirst\n\nsecond\n\n## B")).toEqual(["h1", "p", "figure", "p", "h2"]);
  expect(blocks("intro\n\n# A\n\nfirst\n\n- x")).toEqual(["p", "h1", "p", "figure", "ul"]);
  expect(blocks("# A\n\n- x\n\ntext")).toEqual(["h1", "figure", "ul", "p"]);
});

test("gives a report without a first-level heading its title", () => {
  const page = parsed(pageOf("only text", "A & <B>"));

  expect(page.querySelector("h1")?.textContent).toBe("A & <B>");
  expect(blocks("only text")).toEqual(["h1", "figure", "p"]);
  expect(blocks("")).toEqual(["h1", "figure"]);
});

test("leaves the figure out when there is no picture", () => {
  expect(reportPage({ title: "t", markdown: "# A", svg: "" })).not.toContain("<figure");
});

test("allows itself nothing but inline styles and data images", () => {
  const html = pageOf("# A");
  const policy = parsed(html).querySelector("meta[http-equiv]")?.getAttribute("content");

  expect(policy).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; img-src data:;/);
  expect(html).not.toMatch(/<script|<link|<iframe|@import|url\(|\ssrc=/i);
  expect(html.match(/https?:\/\/[^"' ]*/g)).toEqual(["http://www.w3.org/2000/svg"]);
});

test.each([
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  "text <b onclick=alert(1)>bold</b>",
  "| <script>alert(1)</script> |\n| --- |\n| <iframe src=//evil.example> |",
  "`<script>alert(1)</script>`",
  "```html\n</code></pre><script>alert(1)</script>\n```",
  '```"><script>alert(1)</script>\ncode\n```',
  "</main></body><script>alert(1)</script>",
  "<!-- <script>alert(1)</script> -->",
  "# </title><script>alert(1)</script>",
  '[x](https://example.org/"onmouseover=alert(1))',
  '[x](https://example.org "t\\" onmouseover=alert(1) x=\\"")',
])("shows HTML as text: %s", (markdown) => {
  const page = parsed(pageOf(markdown, markdown));
  const elements = [...page.querySelectorAll("*")];
  const attributes = elements.flatMap((each) => [...each.attributes].map(({ name }) => name));

  expect(page.querySelectorAll("script, img, iframe, b, svg")).toHaveLength(1);
  expect(attributes.filter((name) => name.startsWith("on"))).toEqual([]);
  expect(page.querySelectorAll("main")).toHaveLength(1);
});

test.each([
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](java&#10;script:alert(1) )",
  "[x](<\tjavascript:alert(1)>)",
  "<javascript:alert(1)>",
  "[x][r]\n\n[r]: javascript:alert(1)",
  "[x](vbscript:x)",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](data:image/png;base64,AAAA)",
  "[x](file:///etc/passwd)",
  "[x](//evil.example/share)",
  "[x](/\\evil.example/share)",
  "[x](smb://evil.example)",
])("leads to no script, file or other host by %s", (markdown) => {
  const here = "https://report.example";
  const links = [...parsed(pageOf(markdown)).querySelectorAll("a")];

  const origins = links.map((link) => new URL(link.getAttribute("href") ?? "", here).origin);
  expect(origins.filter((origin) => origin !== here)).toEqual([]);
});

test.each([
  ["[x](https://example.org/a?b=1&c)", "https://example.org/a?b=1&c"],
  ["<https://example.org>", "https://example.org"],
  ["[x](mailto:a@example.org)", "mailto:a@example.org"],
  ["[x](#limits)", "#limits"],
  ["[x](recordings/ghost.jsonl)", "recordings/ghost.jsonl"],
  ["[x](../report.md)", "../report.md"],
])("makes a link of %s", (markdown, address) => {
  const link = parsed(pageOf(markdown)).querySelector("a");

  expect(link?.getAttribute("href")).toBe(address);
  expect(link?.getAttribute("rel")).toBe("noopener noreferrer");
});

test("fetches no image", () => {
  const page = parsed(pageOf("# A\n\n![pixel](https://evil.example/p.png)"));

  expect(page.querySelectorAll("img")).toHaveLength(0);
});

test("makes the same page twice", () => {
  const markdown = "# A\n\n[x][r] and [y](z)\n\n[r]: https://example.org";

  expect(pageOf(markdown)).toBe(pageOf(markdown));
});
