"""An agent on OpenAI's SDK: a loop of its own around chat completions, and one tool."""
import json

from openai import OpenAI


def write_file(path: str, text: str) -> str:
    with open(path, "w") as file:
        file.write(text)
    return f"wrote {len(text)} characters to {path}"


TOOL = {
    "type": "function",
    "function": {
        "name": "write_file",
        "description": "Writes a text file.",
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "text": {"type": "string"}},
            "required": ["path", "text"],
        },
    },
}

client = OpenAI()  # Finds the gateway by OPENAI_BASE_URL.
messages = [{"role": "user", "content": "Write hello to out.txt."}]
for _ in range(5):
    answer = client.chat.completions.create(model="gpt-5-mini", messages=messages, tools=[TOOL])
    message = answer.choices[0].message
    messages.append(message.model_dump(exclude_none=True))
    if not message.tool_calls:
        print(message.content)
        break
    for call in message.tool_calls:
        result = write_file(**json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
