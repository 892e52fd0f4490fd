/**
 * What an actor waits for: its open questions by key, or its timers by id, each with its seq. In the order
 * of a Map, which costs many times more for the one or two that most actors have.
 */
interface Link {
  readonly name: string;
  seq: number;
  next: Link | undefined;
}

export class Awaited {
  #first: Link | undefined;

  get(name: string): number | undefined {
    for (let link = this.#first; link !== undefined; link = link.next) {
      if (link.name === name) return link.seq;
    }
    return undefined;
  }

  set(name: string, seq: number): void {
    let last: Link | undefined;
    for (let link = this.#first; link !== undefined; link = link.next) {
      if (link.name === name) {
        link.seq = seq;
        return;
      }
      last = link;
    }
    const link = { name, seq, next: undefined };
    if (last === undefined) this.#first = link;
    else last.next = link;
  }

  delete(name: string): void {
    let last: Link | undefined;
    for (let link = this.#first; link !== undefined; link = link.next) {
      if (link.name === name) {
        if (last === undefined) this.#first = link.next;
        else last.next = link.next;
        return;
      }
      last = link;
    }
  }

  /** The name that has this seq. */
  nameOf(seq: number): string | undefined {
    for (let link = this.#first; link !== undefined; link = link.next) {
      if (link.seq === seq) return link.name;
    }
    return undefined;
  }

  entries(): [name: string, seq: number][] {
    const entries: [string, number][] = [];
    for (let link = this.#first; link !== undefined; link = link.next) {
      entries.push([link.name, link.seq]);
    }
    return entries;
  }
}
