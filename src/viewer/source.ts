/** Where the page has its data from: its own elements, or the server that gave it. */
import type { Source } from "./rows.ts";
import {
  unpackColumns,
  type ViewCharts,
  type ViewHead,
  type ViewPage,
  type ViewPlaying,
  type ViewRow,
} from "./viewData.ts";

const textOf = (id: string): string | undefined =>
  document.getElementById(id)?.textContent ?? undefined;

async function unpacked(text: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** What the house wrote there. */
const jsonIn = <T>(bytes: ArrayBuffer): T => JSON.parse(new TextDecoder().decode(bytes)) as T;

/** Undefined for what a page that holds everything leaves out. */
type Asking = (name: string) => Promise<ArrayBuffer | undefined>;

function sourceOf(head: ViewHead, asked: Asking): Source {
  const json = async <T>(name: string): Promise<T | undefined> => {
    const bytes = await asked(name);
    return bytes === undefined ? undefined : jsonIn<T>(bytes);
  };
  return {
    head,
    columns: async () => unpackColumns((await asked("columns")) ?? new ArrayBuffer(0), head),
    piece: async (number) => {
      const bytes = await asked(`piece-${number}`);
      return bytes && { rows: jsonIn<readonly ViewRow[]>(bytes), bytes: bytes.byteLength };
    },
    charts: () => json<ViewCharts>("charts"),
  };
}

/** A page that holds everything. */
const embedded =
  (run: number): Asking =>
  async (name) => {
    const text = textOf(`${run}-${name}`);
    return text === undefined ? undefined : unpacked(text);
  };

/** From the server that the page came from; `location.search` bears the token. */
async function fromServer(name: string): Promise<ArrayBuffer> {
  const answer = await fetch(`${name}${location.search}`);
  if (!answer.ok) throw new Error(`the server answered ${answer.status} to ${name}`);
  return answer.arrayBuffer();
}

const served =
  (run: number): Asking =>
  (name) =>
    fromServer(`${run}-${name}`);

/** It stands in the page, but of a long run that is served. */
export const pageHead = async (): Promise<ViewPage> =>
  (JSON.parse(textOf("head") ?? "null") as ViewPage | null) ?? followed.page();

export const sourcesOf = ({ runs }: ViewPage): readonly Source[] =>
  runs.map((head, run) =>
    sourceOf(
      head,
      document.getElementById(`${run}-columns`) === null ? served(run) : embedded(run),
    ),
  );

/** Of a run that still goes: what tells whether there is more of it, and the page as it is now. */
export const followed = {
  version: async (): Promise<string> => jsonIn(await fromServer("version")),
  page: async (): Promise<ViewPage> => jsonIn(await fromServer("head")),
};

/** Of a page that holds variants: the flags of its first run beside the one of this number. */
export async function flagsBeside(run: number): Promise<Uint8Array> {
  return new Uint8Array(await unpacked(textOf(`0-flags-${run}`) ?? ""));
}

/** Asks the server to play, or what decided; hears how far it is, and gives the page of what came of it. */
export async function posted(
  name: "play" | "blame",
  what: object,
  onLine: (line: ViewPlaying) => void,
): Promise<string> {
  const body = JSON.stringify(what);
  const answer = await fetch(`${name}${location.search}`, { method: "POST", body });
  if (!answer.ok) throw new Error(await answer.text());
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    const lines = `${text}${value ?? ""}`.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const said = JSON.parse(line) as ViewPlaying; // The server writes these.
      if (said.page !== undefined) return said.page;
      if (said.fault !== undefined) throw new Error(said.fault);
      onLine(said);
    }
    if (done) throw new Error("the server ended before it was played");
  }
}
