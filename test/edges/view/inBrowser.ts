// Pages in a real browser, with what they ask for and complain of.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { afterAll, beforeAll } from "vitest";
import { newFolder } from "../../folders.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) =>
  existsSync(path),
);
export const hasChromium = CHROMIUM !== undefined;

/** One browser for the tests of a file. */
export function inBrowser() {
  let browser: Browser;
  beforeAll(async () => {
    browser = await puppeteer.launch({
      executablePath: CHROMIUM ?? "",
      // The page is ours, and a container's root has no sandbox of Chromium's.
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    });
  });
  afterAll(() => browser?.close());

  const at = async (url: string, shown: string) => {
    const page = await browser.newPage();
    await page.setViewport({ width: 1400, height: 1000 });
    const heard = heardOf(page);
    await page.goto(url);
    await page.waitForSelector(shown);
    return { page, ...heard };
  };
  return {
    at,
    /** A page as a file. */
    opened: (html: string, hash = "", shown = ".event ol.chain li") => {
      const file = join(newFolder(), "page.html");
      writeFileSync(file, html);
      return at(`${pathToFileURL(file).href}${hash}`, shown);
    },
  };
}

/** From now on: what a page asks for, and what it complains of. */
export function heardOf(page: Page) {
  const [errors, requests]: [string[], string[]] = [[], []];
  page.on("dialog", (dialog) => {
    errors.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => void errors.push(String(error)));
  page.on("console", (message) => void errors.push(message.text()));
  page.on("request", (request) => void requests.push(request.url()));
  return { errors, requests };
}

export const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, (one) => one.textContent ?? "");

export const holds = (page: Page, selector: string, text: string) =>
  page.waitForFunction(
    `document.querySelector(${JSON.stringify(selector)})?.textContent.includes(${JSON.stringify(text)})`,
  );

/** Clicks what stands still: a page that is still laid out moves it between the press of the button and its release, which is no click. */
export const clicked = (page: Page, selector: string) => page.locator(selector).click();
