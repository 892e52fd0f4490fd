/** Whether a revision that becomes active again is what it was, by the bytes of its files as the gateway wrote them. Source: ruling I1. */
import { GATEWAY } from "../../machines/installs/addresses.ts";
import { pointerPath, revisionFolder } from "../../machines/installs/gateway/store.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";

const POINTERS = pointerPath("");

export class Returns {
  readonly #texts = new Map<string, string>();
  /** By agent. */
  readonly #active = new Map<string, string>();
  /** By folder: its files when it first was active. */
  readonly #first = new Map<string, string>();

  /** For each revision that the delivery makes active again, whether its files are the same as then. */
  told({ event, from }: SeenDelivery): readonly { readonly isSame: boolean }[] {
    if (event.type !== "files.apply" || from !== GATEWAY) return [];
    for (const [path, text] of Object.entries(event.changed)) {
      if (text === null) this.#texts.delete(path);
      else this.#texts.set(path, text);
    }
    return Object.entries(event.changed).flatMap(([path, text]) =>
      path.startsWith(POINTERS) ? this.#pointed(path.slice(POINTERS.length), text) : [],
    );
  }

  #pointed(agent: string, text: string | null): readonly { readonly isSame: boolean }[] {
    const id = text?.trim() ?? "";
    // Written anew after a restart, it changes nothing.
    if (this.#active.get(agent) === id) return [];
    this.#active.set(agent, id);
    if (id === "") return [];
    const folder = `${revisionFolder(agent, id)}/`;
    const [now, first] = [this.#filesIn(folder), this.#first.get(folder)];
    if (first !== undefined) return [{ isSame: now === first }];
    this.#first.set(folder, now);
    return [];
  }

  #filesIn(folder: string): string {
    const files = [...this.#texts].filter(([path]) => path.startsWith(folder)).sort();
    return JSON.stringify(files);
  }
}
