/** Opens an address in the browser of whoever sits at this machine. */

import { spawn } from "node:child_process";
import { ownValue } from "../../machines/ownValue.ts";

const OPENERS: { readonly [platform: string]: readonly string[] } = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Whether it began; where there is no browser the address that was printed is all there is. */
export function openInBrowser(address: string): Promise<boolean> {
  const [program = "", ...words] = ownValue(OPENERS, process.platform) ?? ["xdg-open"];
  return new Promise((done) => {
    const child = spawn(program, [...words, address], { detached: true, stdio: "ignore" });
    child.once("error", () => done(false));
    child.once("spawn", () => {
      child.unref();
      done(true);
    });
  });
}
