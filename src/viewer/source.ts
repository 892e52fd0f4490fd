/** Where the page has its data from: its own elements, or the server that gave it. */
import type { Source } from "./rows.ts";
import { unpackColumns, type ViewHead, type ViewRow } from "./viewData.ts";

const textOf = (id: string): string | undefined =>
  document.getElementById(id)?.textContent ?? undefined;

async function unpacked(text: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

const rowsIn = (bytes: ArrayBuffer): readonly ViewRow[] =>
  JSON.parse(new TextDecoder().decode(bytes)) as readonly ViewRow[];

/** A page that holds everything. */
function embedded(head: ViewHead): Source {
  return {
    head,
    columns: async () => unpackColumns(await unpacked(textOf("columns") ?? ""), head),
    piece: async (number) => {
      const text = textOf(`piece-${number}`);
      return text === undefined ? undefined : rowsIn(await unpacked(text));
    },
  };
}

/** A page that asks the server it came from; `location.search` bears the token. */
function served(head: ViewHead): Source {
  const asked = async (name: string): Promise<ArrayBuffer> => {
    const answer = await fetch(`${name}${location.search}`);
    if (!answer.ok) throw new Error(`the server answered ${answer.status} to ${name}`);
    return answer.arrayBuffer();
  };
  return {
    head,
    columns: async () => unpackColumns(await asked("columns"), head),
    piece: async (number) => rowsIn(await asked(`piece-${number}`)),
  };
}

export function pageSource(): Source {
  const head = JSON.parse(textOf("head") ?? "null") as ViewHead;
  return document.getElementById("columns") === null ? served(head) : embedded(head);
}
