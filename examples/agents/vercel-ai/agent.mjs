// An agent on Vercel's AI SDK, which speaks the Responses API.
import { writeFileSync } from "node:fs";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, stepCountIs, tool } from "ai";
import { z } from "zod";

const openai = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL });

const { text } = await generateText({
  model: openai("gpt-5-mini"),
  prompt: "Write hello to out.txt.",
  stopWhen: stepCountIs(5),
  tools: {
    write_file: tool({
      description: "Writes a text file.",
      inputSchema: z.object({ path: z.string(), text: z.string() }),
      execute: ({ path, text: said }) => {
        writeFileSync(path, said);
        return `wrote ${said.length} characters to ${path}`;
      },
    }),
  },
});
console.log(text);
