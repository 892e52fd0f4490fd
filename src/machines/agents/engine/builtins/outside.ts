/** Asking a model, people, the web or a peer. Source: seed 004, "Load locks", "Earned capabilities". */
import { ask, type Json, type MailOf } from "../../../letter.ts";
import { type Builtin, isWords, needs } from "../builtin.ts";

/** What an agent asks a model through a tool: its own words, and nothing around them. */
export interface ToolChatView {
  readonly purpose: "tool.chat";
  readonly agent: string;
  readonly prompt?: Json;
}

export const ollamaChat: Builtin = {
  name: "ollama_chat",
  description:
    "Single-turn chat completion by the local Ollama model: prompt in, generated response out; " +
    "for summaries, questions and reasoning.",
  takes: "prompt: string",
  isLockable: true,
  begin({ agent, key, params: { prompt } }) {
    if (!isWords(prompt)) return needs("prompt");
    const view: ToolChatView = { purpose: "tool.chat", agent, prompt };
    const event: MailOf<"llm.asked"> = { type: "llm.asked", purpose: view.purpose, view };
    return { letter: ask({ to: "port/llm.chat", key, event }) };
  },
};

/** The provider behind `port/tool.call` answers. */
const beginOutside =
  (purpose: MailOf<"tool.called">["purpose"]): Builtin["begin"] =>
  ({ agent, key, params }) => {
    const event: MailOf<"tool.called"> = { type: "tool.called", purpose, agent, params };
    return { letter: ask({ to: "port/tool.call", key, event }) };
  };

export const proposeChange: Builtin = {
  name: "propose_change",
  description:
    "Submits a proposal for a change to the system for human review and approval; returns status and id.",
  isLockable: true,
  output: "usual",
  begin: beginOutside("propose_change"),
};

export const invokeClaude: Builtin = {
  name: "invoke_claude",
  description:
    "Invokes Claude, the external assistant, with a request for help; returns its advice.",
  isLockable: true,
  begin: beginOutside("invoke_claude"),
};

export const researchTopic: Builtin = {
  name: "research_topic",
  description:
    "Researches a topic on the external web: search engines, GitHub, Wikipedia; returns results.",
  begin: beginOutside("research_topic"),
};

export const messageSend: Builtin = {
  name: "message_send",
  description: "Sends a message to the inbox of another agent: recipient, text.",
  takes: "to: string, text: string",
  isPublic: true,
  begin({ agent, agents, params: { to, text } }) {
    if (!isWords(to) || !isWords(text)) return needs("to and text");
    if (agents.includes(to) && to !== agent) return { message: { to, text } };
    const others = agents.filter((name) => name !== agent).join(", ");
    return { refusal: `ValueError: no agent here is called ${to}; there are: ${others}` };
  },
};
