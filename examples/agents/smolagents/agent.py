"""An agent on smolagents, which answers by a tool of its own, `final_answer`."""
import os

from smolagents import OpenAIModel, ToolCallingAgent, tool


@tool
def write_file(path: str, text: str) -> str:
    """Writes a text file.

    Args:
        path: Where it goes.
        text: What stands in it.
    """
    with open(path, "w") as file:
        file.write(text)
    return f"wrote {len(text)} characters to {path}"


model = OpenAIModel(
    model_id="gpt-5-mini",
    api_base=os.environ["OPENAI_BASE_URL"],
    api_key=os.environ["OPENAI_API_KEY"],
)
agent = ToolCallingAgent(tools=[write_file], model=model, max_steps=5, verbosity_level=0)
print(agent.run("Write hello to out.txt."))
