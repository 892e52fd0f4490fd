/** Where the page has its data from: its own elements, or the server that gave it. */
import type { Source } from "./rows.ts";
import {
  unpackColumns,
  type ViewCharts,
  type ViewHead,
  type ViewPage,
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
    piece: (number) => json<readonly ViewRow[]>(`piece-${number}`),
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

/** A page that asks the server it came from; `location.search` bears the token. The other run is the server's next. */
const served =
  (run: number): Asking =>
  async (name) => {
    const answer = await fetch(`${run === 0 ? "" : `../${run}/`}${name}${location.search}`);
    if (!answer.ok) throw new Error(`the server answered ${answer.status} to ${name}`);
    return answer.arrayBuffer();
  };

export const pageHead = (): ViewPage => JSON.parse(textOf("head") ?? "null") as ViewPage;

export const sourcesOf = ({ runs }: ViewPage): readonly Source[] =>
  runs.map((head, run) =>
    sourceOf(
      head,
      document.getElementById(`${run}-columns`) === null ? served(run) : embedded(run),
    ),
  );

/** Of a run that still goes: what tells whether there is more of it, and the page as it is now. */
export const followed = {
  version: async (): Promise<string> => jsonIn(await served0("version")),
  page: async (): Promise<ViewPage> => jsonIn(await served0("head")),
};

const served0 = async (name: string): Promise<ArrayBuffer> =>
  (await served(0)(name)) ?? new ArrayBuffer(0);
