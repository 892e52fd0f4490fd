// SPEC VW: the page of a run in a real browser: the incident, opened from disk, and a log of a stranger who means harm.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Page } from "puppeteer-core";
import { beforeAll, describe, expect, it } from "vitest";
import { readInto } from "../../../src/actors/imported/edge/readInto.ts";
import { exportPage } from "../../../src/edges/view/exportPage.ts";
import { openRun } from "../../../src/edges/view/openRun.ts";
import { FLAG, type ViewRow } from "../../../src/viewer/viewData.ts";
import { lists } from "../../builtInRuns.ts";
import { newFolder } from "../../folders.ts";
import { clicked, hasChromium, holds, inBrowser, textOf } from "./inBrowser.ts";

const HOSTILE = `\u202e\u2066</script><img src=x onerror=alert(1)><script>alert(2)</script>"'&`;

/** Where on the strip a hit is drawn, as shares of the axis. */
const HITS = `(() => {
  const strip = document.querySelector("canvas.strip");
  const { data } = strip.getContext("2d").getImageData(0, Math.round(17 * devicePixelRatio), strip.width, 1);
  const [left, right] = [220, strip.width - 26];
  return Array.from({ length: right - left }, (_, at) => at).filter((at) => data[4 * (left + at) + 3] > 200
    && data[4 * (left + at) + 2] > 100 && data[4 * (left + at)] < 60).map((at) => at / (right - left));
})()`;

/** A page for the whole log, and one for which there is little room. */
const INCIDENT = "recordings/safe-file-executor";

/** A conversation in which names, arguments and results are HTML. */
function hostileLog(): string {
  const file = join(newFolder(), "hostile.json");
  const call = { name: "read_file", arguments: JSON.stringify({ path: HOSTILE }) };
  const messages = [
    { role: "user", content: HOSTILE },
    { role: "assistant", name: HOSTILE, content: HOSTILE },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: HOSTILE, type: "function", function: call }],
    },
    { role: "tool", tool_call_id: HOSTILE, content: `Error: ${HOSTILE}` },
  ];
  writeFileSync(file, JSON.stringify(messages));
  return file;
}

it("[VW24] the page of a run that was played has no such list", () => {
  const { suspects, found } = openRun(lists, "recordings/null-stub").head;

  expect([suspects, found]).toEqual([[], []]);
});

it("[VW24] [VW48] what findings found is listed, and stands on the row of whoever did it, with its reason", async () => {
  const out = newFolder();
  await readInto(["examples/findings/logs.jsonl"], out, new AbortController().signal);
  const { head } = openRun(lists, join(out, readdirSync(out).sort()[0] ?? ""));
  const kinds = ["suspects", "found"] as const;
  const drawn = head.pictures.flatMap(({ lanes }) =>
    lanes.flatMap((lane) =>
      lane.is === "row" ? lane.points.map((one) => [one.kind, one.says]) : [],
    ),
  );

  for (const kind of kinds) {
    expect(head[kind].length).toBeGreaterThan(0);
    for (const { says } of head[kind]) expect(drawn).toContainEqual([kind, says]);
  }
});

describe("a page as a file", () => {
  it("[VW2] [VW4] holds one script, by its hash, and tells the run without it", async () => {
    const { html } = await exportPage(lists, ["recordings/weather-fetcher"], { withTexts: true });
    const plain = /<noscript>([\s\S]*)<\/noscript>/.exec(html)?.[1] ?? "";

    expect(html.match(/<script(?! type="(?:text\/plain|application\/json)")/g)).toHaveLength(1);
    expect(html).toMatch(
      /default-src 'none'; script-src 'sha256-[^']+'; style-src 'unsafe-inline'; base-uri/,
    );
    expect(html).not.toMatch(/(?:src|href)="https?:/);
    expect(plain).toContain("<svg");
    expect(plain).toContain("Read downwards: each line rests on the next.");
  });

  const CHOICE = "recordings/synt-chain-choice";
  const exported = (options: { withTexts: boolean; bytesMost?: number }) =>
    exportPage(lists, [CHOICE], options);

  it("[VW8] keeps what is near causes where there is little room", async () => {
    const [whole, bare] = [
      await exported({ withTexts: true }),
      await exported({ withTexts: false }),
    ];
    const bytesMost = Math.round((whole.html.length + bare.html.length) / 2);
    const small = await exported({ withTexts: true, bytesMost });

    expect(whole.missing).toEqual([]);
    expect(bare.missing.join()).toContain("without prompts, answers and contents of letters");
    expect(bare.html.length).toBeLessThan(whole.html.length);
    expect(small.html.length).toBeLessThanOrEqual(bytesMost);
    expect(small.missing.join()).toContain("near causes and failures alone");
    const rows = [...small.html.matchAll(/id="0-piece-\d+">([^<]+)</g)].flatMap(
      ([, text = ""]): readonly ViewRow[] =>
        JSON.parse(gunzipSync(Buffer.from(text, "base64")).toString("utf8")),
    );
    const isFull = ({ event, call }: ViewRow): boolean =>
      event !== undefined || call?.prompt !== undefined;
    const { head, columns } = openRun(lists, CHOICE);
    const links = head.chains.flatMap((chain) => chain.links.map(({ place }) => place));
    const failures = [...columns.flags].flatMap((flag, at) =>
      (flag & FLAG.failure) === 0 ? [] : at,
    );
    expect([...links, ...failures].every((at) => rows[at] && isFull(rows[at]))).toBe(true);
    expect(rows.some((row) => !isFull(row))).toBe(true);
  });

  it("[VW8] is refused where nothing helps", async () => {
    await expect(exported({ withTexts: true, bytesMost: 1_000 })).rejects.toThrow("has no room");
  });
});

describe.skipIf(!hasChromium)("(skipped where Chromium is absent)", () => {
  const { opened } = inBrowser();

  describe("the incident", () => {
    let page: Page;
    let errors: string[];
    let requests: string[];
    let html: string;

    beforeAll(async () => {
      ({ html } = await exportPage(lists, [INCIDENT], { withTexts: true }));
      ({ page, errors, requests } = await opened(html));
    });

    it("[VW2] opens from disk, asks for nothing else and complains of nothing", () => {
      expect(errors).toEqual([]);
      expect(requests.filter((url) => !url.startsWith("blob:"))).toHaveLength(1);
    });

    it("[VW3] says at once what happened, and why, down to who wrote the ghost and when", async () => {
      const [what, why] = await Promise.all([
        textOf(page, "section[aria-label='What happened']"),
        textOf(page, "section[aria-label='Why']"),
      ]);

      expect(what).toContain("97 failed");
      expect(what).toContain("0:30:32 ghost safe_file_executor begins");
      expect(why).toContain("vault failed goal 33");
      expect(why).toContain(
        "0:30:32 cedar's call of fs_write wrote /agentOS/tools/dynamic/safe_file_executor.json",
      );
      expect(why).toContain("Of 97 failures, 97 go back to this.");
      expect(why).toMatch(
        /safe_file_executor\.json appeared[^◂]* ◂ went wrong first: ghost safe_file_executor/,
      );
      expect(why).toMatch(/cedar's model made a plan of 6 steps[^◂]* ◂ the choice behind it/);
      expect(why).toMatch(
        /It has no code, so [^ ]*41-hypothesis\.md was not written.*vault failed goal 33[^◂]* ◂ the failure/,
      );
    });

    it("[VW7] [VW55] a click on a link of the chain moves the one cursor, and Back moves it back", async () => {
      await clicked(page, "section[aria-label='Why'] ol.chain li[value='7'] button");
      await holds(page, ".event h2", "safe_file_executor.json appeared");
      expect(await textOf(page, ".event .number")).toBe("7");
      expect(await page.$eval(".event ol.chain", (one) => one.getAttribute("start"))).toBe("6");

      expect(await textOf(page, ".clock")).toMatch(/^0:30:32/);
      expect(await textOf(page, "tr.here td:last-child")).toContain(
        "safe_file_executor.json appeared",
      );
      expect(await textOf(page, ".event")).toMatch(/deliveries go back to it, 97 of them failures/);

      await page.goBack();
      await holds(page, ".event h2", "vault failed goal 33");
    });

    it("[VW7] keys step by what is told and by failures, and the address holds the instant", async () => {
      await page.keyboard.press("f");
      await holds(page, ".event h2", "failed goal");
      const first = await textOf(page, ".clock");
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction(
        `document.querySelector(".event h2").textContent.includes("failed goal") === false`,
      );
      await page.keyboard.press("ArrowLeft");
      await holds(page, ".event h2", "failed goal");
      await page.waitForFunction(`location.hash.includes("at=")`);

      expect(await textOf(page, ".clock")).toBe(first);
      await page.keyboard.press("?");
      await holds(page, "dialog", "the next failure");
      await page.keyboard.press("Escape");
    });

    it("[VW7] the pointer scrubs: what stands at the cursor follows", async () => {
      const box = await (await page.$(".lanes canvas"))?.boundingBox();
      const { x = 0, y = 0, width = 0 } = box ?? {};
      // Between two rows nothing is hit but the time.
      await page.mouse.move(x + width * 0.5, y + 5);
      await page.mouse.down();
      await page.mouse.move(x + width * 0.7, y + 5, { steps: 4 });
      await page.mouse.up();
      const [hours, minutes] = (await textOf(page, ".clock")).split(":");

      expect(Number(hours) * 60 + Number(minutes)).toBeGreaterThan(60);
    });

    it("[VW7] a link opens its instant, of its actor; a text is found in what models were asked", async () => {
      const { page: other } = await opened(html, "#at=0:44:26&actor=cedar&find=handover");
      await holds(other, ".hits", "hits");

      expect(await textOf(other, ".clock")).toMatch(/^0:44:26/);
      await other.waitForFunction(
        `/^[1-9]\\d* hits?$/.test(document.querySelector(".hits").textContent)`,
      );
      expect(await other.$$eval("mark", (all) => all.length)).toBeGreaterThan(0);
      await clicked(other, "[role=tab]:nth-child(3)");
      await holds(other, ".model figure:first-child", "You are cedar.");
      expect(await textOf(other, ".model p")).toMatch(
        /cedar asked for \w+ \(call \d+\) .* · \d+ ms/,
      );
      await other.close();
    });
  });

  it("[VW43] a time is looked for as a text is: hits stand on the strip, and the address holds it", async () => {
    const { html } = await exportPage(lists, ["recordings/lock-feedback"], { withTexts: true });
    const { page } = await opened(html);
    const whole = Number.parseInt(await textOf(page, ".hits"), 10);
    await page.keyboard.press("0");
    await page.type("input[type=search]", "from:0:10:00 to:0:20:00");
    await holds(page, ".hits", "from 0:10:00 to 0:20:00");
    const within = Number.parseInt(await textOf(page, ".hits"), 10);
    await page.waitForFunction(`location.hash.includes("find=from:0:10:00%20to:0:20:00")`);
    const drawn = (await page.evaluate(HITS)) as readonly number[];
    const { page: other } = await opened(html, String(await page.evaluate("location.hash")));
    await holds(other, ".hits", `${within} hits from 0:10:00 to 0:20:00`);
    await other.close();
    await page.keyboard.press("Escape");
    await page.keyboard.press("t");
    await page.waitForFunction(
      `document.querySelector("[type=search]").value.startsWith("from:0:00:00 to:")`,
    );
    await page.close();

    expect(within).toBeGreaterThan(0);
    expect(within).toBeLessThan(whole);
    expect(drawn.length).toBeGreaterThan(0);
    const minutes = drawn.map((share) => share * 90);
    expect(Math.min(...minutes)).toBeGreaterThan(9);
    expect(Math.max(...minutes)).toBeLessThan(21);
  });

  it("[VW2] a stranger's names, arguments and results are text, and none of it runs", async () => {
    const out = newFolder();
    await readInto([hostileLog()], out, new AbortController().signal);
    const { html } = await exportPage(lists, [out], { withTexts: true });
    const { page, errors, requests } = await opened(html);
    await page.keyboard.press("4");
    await holds(page, "[role=tabpanel] pre", "onerror=alert(1)");

    expect(errors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith("blob:"))).toHaveLength(1);
    expect(await page.$$eval("img", (all) => all.length)).toBe(0);
    const both = await exportPage(lists, [out, "recordings/weather-fetcher"], { withTexts: true });
    const beside = await opened(both.html, "", "table.both tbody tr");
    expect(beside.errors).toEqual([]);
    expect(await textOf(beside.page, ".both")).toContain("<img src=x onerror=alert(1)>");
    expect(await beside.page.$$eval("img", (all) => all.length)).toBe(0);
    expect(await textOf(page, ".event h2")).toContain("<img src=x onerror=alert(1)>");
    expect(await textOf(page, ".event")).toContain("\\u{202e}\\u{2066}</script>");
    expect(await textOf(page, "#app")).not.toMatch(/\p{Bidi_Control}/u);
  });

  it("[VW2] a text of 10 MB and thousands of names are shown as any other", async () => {
    const [file, out] = [join(newFolder(), "huge.json"), newFolder()];
    const said = (number: number) => ({
      ...{ role: "assistant", name: `agent_${number}`, content: `said by ${number}` },
    });
    const messages = [
      { role: "user", content: `huge ${"x".repeat(10_000_000)}` },
      ...Array.from({ length: 5_000 }, (_, number) => said(number)),
    ];
    writeFileSync(file, JSON.stringify(messages));
    await readInto([file], out, new AbortController().signal);
    const { html } = await exportPage(lists, [out], { withTexts: true });
    const { page, errors } = await opened(html, "", ".event h2");
    await page.keyboard.press("2");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("4");
    await holds(page, "[role=tabpanel] pre", "huge xxx");

    expect((await textOf(page, "[role=tabpanel] pre")).length).toBeLessThan(300_000);
    expect(
      await page.$$eval("select[aria-label=Actor] option", (all) => all.length),
    ).toBeGreaterThan(1_000);
    expect(errors).toEqual([]);
    await page.close();
  });

  it("[VW3] on a phone, in the dark and on paper nothing stands beyond the width", async () => {
    const { html } = await exportPage(lists, ["recordings/weather-fetcher"], { withTexts: true });
    const { page } = await opened(html);
    const beyond = () => page.evaluate("document.documentElement.scrollWidth - innerWidth");
    const colours = () =>
      page.evaluate("getComputedStyle(document.body).backgroundColor") as Promise<string>;
    const light = await colours();
    await page.setViewport({ width: 390, height: 800, isMobile: true });
    expect(await beyond()).toBeLessThanOrEqual(0);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    expect(await colours()).not.toBe(light);
    await page.emulateMediaType("print");
    expect(await beyond()).toBeLessThanOrEqual(0);
    expect(await page.$eval(".tools", (one) => one.checkVisibility())).toBe(false);
    await page.close();
  });

  it("[VW24] a suspect of a log is a click away from where it stands", async () => {
    const out = newFolder();
    await readInto(["examples/findings/logs.jsonl"], out, new AbortController().signal);
    const { html } = await exportPage(lists, [`${out}/${readdirSync(out).sort()[0]}`], {
      withTexts: true,
    });
    const { page } = await opened(html);
    const [suspect] = await page.$$("section[aria-label='Where to look first'] li button");
    const says = (await suspect?.evaluate((button) => button.textContent)) ?? "";
    expect(await textOf(page, "section[aria-label='Where to look first']")).toMatch(
      /A ranking, and no verdict:[\s\S]+Found, by rules that are untested:/,
    );
    await suspect?.click();

    const [seq = "none"] = /#\d+/.exec(says) ?? [];
    await holds(page, ".event .quiet", `· ${seq} ·`);
    expect(seq).not.toBe("none");
  });

  it("[VW48] the mistake that people marked, suspects and findings stand on the time line", async () => {
    const [file, out] = [join(newFolder(), "judged.json"), newFolder()];
    const said = (name: string, content: string) => ({ role: "assistant", name, content });
    const history = [
      { role: "user", name: "manager", content: "How many are even?" },
      ...[said("loader", "I load the list."), said("counter", "I count the odd ones: 7.")],
      said("loader", "Then the answer is 7."),
    ];
    const labels = { mistake_agent: "counter", mistake_step: "2", is_correct: false };
    writeFileSync(file, JSON.stringify({ question: "How many?", ...labels, history }));
    await readInto([file], out, new AbortController().signal);
    const { html } = await exportPage(lists, [out], { withTexts: true });
    const { page } = await opened(html);
    const look = await textOf(page, "section[aria-label='Where to look first'] ol");
    const rows = await page.$$eval(".timeline tbody tr", (all) =>
      all.map((one) => [...one.children].map((cell) => cell.textContent).join(": ")),
    );
    const legend = await textOf(page, ".legend");
    const {
      x = 0,
      y = 0,
      width = 0,
    } = (await (await page.$(".lanes canvas"))?.boundingBox()) ?? {};
    await page.keyboard.press("0");
    // The third row, below the axis; two of five seconds.
    await page.mouse.move(x + 220 + ((width - 246) * 2) / 5, y + 42 + 2 * 30 + 8);
    await holds(page, ".hover", "step 2 (#3): the mistake, as people say");
    await page.close();

    expect(look).toContain("step 2 (#3): the mistake, as people say");
    expect(rows.find((one) => one.startsWith("counter: "))).toMatch(/1 × marked, 1 × suspects/);
    expect(rows.find((one) => one.startsWith("manager: "))).not.toContain("marked");
    expect(legend).toContain("the mistake, as people say");
    expect(legend).toContain("dashed where it is inferred");
  });

  it("[VW47] [VW55] links of the chosen chain are dashed where they are inferred, and numbered from where it began, however far back that is", async () => {
    const drawnOf = async (folder: string, says: string) => {
      const { html } = await exportPage(lists, [folder], { withTexts: true });
      const { page } = await opened(html);
      await page.evaluate(`globalThis.dashes_ = []; globalThis.numbers_ = [];
        CanvasRenderingContext2D.prototype.bezierCurveTo = function () { dashes_.push(this.getLineDash().length); };
        CanvasRenderingContext2D.prototype.roundRect = function (left) { this.isNumber_ = true; };
        const { fillText } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
          if (this.isNumber_) numbers_.push([x, text]);
          this.isNumber_ = false;
          fillText.call(this, text, x, y);
        };`);
      await page.keyboard.press("0");
      await page.keyboard.press("ArrowLeft");
      await page.waitForFunction(
        `document.querySelector(".event h2").textContent.includes("${says}") === false`,
      );
      await page.waitForFunction("dashes_.length > 0");
      // As pushed above.
      const dashes = (await page.evaluate("dashes_")) as number[];
      const drawn = (await page.evaluate("numbers_")) as [x: number, text: string][];
      const [, first = ""] = drawn.toSorted(([a], [b]) => a - b)[0] ?? [];
      const numbers = await page.$$eval("section[aria-label='Why'] li", (all) =>
        all.map((one) => one.getAttribute("value")),
      );
      await page.keyboard.press("ArrowRight");
      await holds(page, ".event h2", says);
      const atCursor = await page.$eval(".event", (one) => [
        one.querySelector(".number")?.textContent,
        one.querySelector("ol.chain")?.getAttribute("start"),
      ]);
      await page.close();
      return { dashes: new Set(dashes), first, atCursor, numbers };
    };
    const out = newFolder();
    // Longer than a page is told of.
    const talk = Array.from({ length: 210 }, (_, at) => ({
      ...{ role: "assistant", name: at % 2 === 0 ? "clerk" : "teller" },
      content: `This is word ${at + 1}.`,
    }));
    const call = { id: "1", type: "function", function: { name: "ring", arguments: "{}" } };
    const failing = [
      { role: "assistant", name: "clerk", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "1", content: "Error: nobody answers" },
    ];
    writeFileSync(join(out, "talk.json"), JSON.stringify([...talk, ...failing]));
    await readInto([join(out, "talk.json")], join(out, "read"), new AbortController().signal);
    const long = await drawnOf(join(out, "read"), "ring returned");
    const short = await drawnOf("recordings/weather-fetcher", "The gateway refused");

    expect(long.dashes).toContain(2);
    expect(short.dashes).toEqual(new Set([0]));
    // Number 1 is where it began, and so stands first; of the longer chain 50 are drawn behind number 211 or 212.
    expect([short.first, long.first]).toEqual([
      expect.stringMatching(/^1\b/),
      expect.stringMatching(/^16[12]\b/),
    ]);
    expect([short.atCursor, long.atCursor]).toEqual([
      ["12", "11"],
      ["212", "211"],
    ]);
    expect(short.numbers).toEqual(Array.from({ length: 12 }, (_, at) => `${at + 1}`));
    expect([...long.numbers.slice(0, 4), long.numbers.at(-1)]).toEqual([
      "1",
      "2",
      "3",
      "186",
      "212",
    ]);
  });

  it("[VW9] the variants beside this very run are shown, marked with what they prevent", async () => {
    const { open: made, out } = await withVariants();
    const { html } = await exportPage(lists, [out], { withTexts: true });
    const { page } = await opened(html);
    const rows = await page.$$eval(".variants tbody", (all) =>
      all.map((row) => `${row.className}: ${row.textContent}`),
    );

    expect(made.run.bundle.manifest.final).toBeDefined();
    expect(rows[0]).toContain(": (as it was)7 of 10");
    expect(rows.slice(1, 5)).toEqual([
      ": Prevents the failures:",
      "remedy: ✓ asked7 of 100 It asks first. ",
      ": Does not prevent the failures:",
      "useless: ✕ waits71 of 1,000 It waits. ",
    ]);
  });
});

/** A copy of a recording with a table beside it, as `run --compare` leaves one. */
async function withVariants() {
  const { cpSync } = await import("node:fs");
  const out = join(newFolder(), "bundle");
  cpSync("recordings/weather-fetcher", out, { recursive: true });
  const open = openRun(lists, out);
  const digest = open.run.bundle.manifest.final?.digest;
  const row = (wrong: number, ...cells: string[]) => ({ cells, wrong });
  const table = {
    of: digest,
    title: "What would have prevented it",
    head: ["Variant", "Goals failed", "What it shows"],
    rows: [
      row(0.7, "(as it was)", "7 of 10", ""),
      // At most a tenth of the share that went wrong prevents it. A tenth of 0.7 is a little less than 0.07, by rounding.
      row(0.07, "asked", "7 of 100", "It asks first."),
      row(0.071, "waits", "71 of 1,000", "It waits."),
    ],
  };
  writeFileSync(join(out, "variants.json"), JSON.stringify(table));
  expect(readFileSync(join(out, "variants.json"), "utf8")).toContain(digest);
  return { open, out };
}
