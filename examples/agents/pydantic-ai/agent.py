"""An agent on pydantic-ai."""
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel

# Its client finds the gateway by OPENAI_BASE_URL.
agent = Agent(OpenAIChatModel("gpt-5-mini"), instructions="You write files.")


@agent.tool_plain
def write_file(path: str, text: str) -> str:
    """Writes a text file."""
    with open(path, "w") as file:
        file.write(text)
    return f"wrote {len(text)} characters to {path}"


print(agent.run_sync("Write hello to out.txt.").output)
