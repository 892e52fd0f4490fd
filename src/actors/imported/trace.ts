/** An imported log in the terms that every log shares: it is all there already. */
import type { TraceFact, TraceReader } from "../../contract/trace.ts";

export const trace = (): TraceReader => (delivery) => {
  const fact = factOf(delivery);
  return fact === undefined ? [] : [fact];
};

function factOf({ event, seq, dueMs: atMs }: Parameters<TraceReader>[0]): TraceFact | undefined {
  switch (event.type) {
    case "log.offered": {
      const { step, tool, description, schema } = event;
      return { is: "offered", seq, atMs, step, tool, description, schema };
    }
    case "log.called": {
      const { step, agent, tool, args, raw } = event;
      return { is: "called", seq, atMs, step, agent, tool, intent: null, args, raw };
    }
    case "log.returned": {
      const { step, caller: agent, tool, of, result, ok, error } = event;
      // What no call is known of is nobody's result: a fact names its call.
      if (of === null || agent === null) return undefined;
      return { is: "returned", seq, atMs, step, agent, tool, call: of, result, ok, error };
    }
    case "log.said": {
      const { step, speaker, role, to, text } = event;
      return { is: "said", seq, atMs, step, speaker, role, to, text };
    }
    case "log.judged": {
      const { step, reward, success, mistake: marked } = event;
      const mistake = marked && { agent: marked.agent, step: marked.step };
      return { is: "judged", seq, atMs, step, reward, success, mistake };
    }
    default:
      return undefined;
  }
}
