// Runs once before all test files: the processes that play command lines of every file, however many
// files run at once. A host of each worker's own would load and compile the same modules again.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { HOSTS_AT, type Order, type Said, WarmHost } from "./cli/warm.ts";

/** One more than the cores of a small machine: many a command waits for a server, or for a thread of its own. */
const HOSTS = 3;

/** Gives what ends them. */
export default async function setup(): Promise<(() => void) | undefined> {
  if (process.env[HOSTS_AT] !== undefined) return undefined;
  const hosts = Array.from({ length: HOSTS }, () => new WarmHost());
  const free = [...hosts];
  const waiting: ((host: WarmHost) => void)[] = [];
  const said = async (order: Order): Promise<Said> => {
    const host = free.shift() ?? (await new Promise<WarmHost>((done) => waiting.push(done)));
    try {
      return await host.run(order);
    } finally {
      const next = waiting.shift();
      if (next === undefined) free.unshift(host);
      else next(host);
    }
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let order = "";
    socket.setEncoding("utf8").on("data", (more: string) => {
      order += more;
    });
    socket.on("end", async () => socket.end(JSON.stringify(await said(JSON.parse(order)))));
    // Whoever asked may be gone by the time of the answer.
    socket.on("error", () => {});
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  process.env[HOSTS_AT] = String((server.address() as AddressInfo).port);
  return () => {
    server.close();
    for (const host of hosts) host.end();
  };
}
