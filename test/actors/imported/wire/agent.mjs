// An agent as people write one: it asks a model at OPENAI_BASE_URL, writes what it is told to, and says what the model says last.
const [mode = ""] = process.argv.slice(2);
const isStreamed = mode === "stream";
const amount = mode === "amount" ? 43 : 42;
const day = mode === "day" ? "2026-01-02" : "2026-01-01";
const messages = [
  {
    role: "system",
    content: `It is ${new Date().toISOString()}; run ${crypto.randomUUID()}.${mode === "turns" ? ` Turn ${process.argv[3]} of many.` : ""}`,
  },
  { role: "user", content: `Pay ${amount} to A-17 on ${day}.` },
  ...(mode === "less" ? [] : [{ role: "user", content: "Then say so." }]),
];
const tools = ["pay", "look"].map((name) => ({ type: "function", function: { name } }));
for (let turn = 0; turn < 12; turn++) {
  const message = await asked();
  messages.push(message);
  if (mode === "once") break;
  if (message.tool_calls === undefined) {
    console.log(`agent: ${message.content}`);
    break;
  }
  for (const { id } of message.tool_calls) {
    const content = JSON.stringify({
      paid: mode !== "unpaid" || turn < 5,
      at: new Date().toISOString(),
    });
    messages.push({ role: "tool", tool_call_id: id, content });
  }
}

async function asked() {
  const answer = await fetch(
    `${process.env.OPENAI_BASE_URL}/chat/completions?key=sk-queryqueryqueryquery1`,
    {
      method: "POST",
      headers: {
        authorization: "Bearer sk-headerheaderheader1",
        "content-type": "application/json",
      },
      body: JSON.stringify({ model: "m", messages, tools, ...(isStreamed && { stream: true }) }),
    },
  );
  if (!answer.ok && mode === "less") {
    await new Promise((done) => setTimeout(done, 1_000));
    console.log("agent: Went on.");
  }
  if (!answer.ok)
    throw new Error(`the model's server says ${answer.status}: ${await answer.text()}`);
  if (!isStreamed) return (await answer.json()).choices[0].message;
  const text = await answer.text();
  const deltas = text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice("data: ".length)).choices[0].delta);
  const content = deltas.map((delta) => delta.content ?? "").join("");
  const calls = deltas.flatMap((delta) => delta.tool_calls ?? []);
  if (calls.length === 0) return { role: "assistant", content };
  const [
    {
      id,
      function: { name },
    },
  ] = calls;
  const args = calls.map((call) => call.function.arguments ?? "").join("");
  return {
    role: "assistant",
    content,
    tool_calls: [{ id, type: "function", function: { name, arguments: args } }],
  };
}
