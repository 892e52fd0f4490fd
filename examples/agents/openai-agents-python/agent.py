"""An agent on OpenAI's Agents SDK, which speaks the Responses API."""
from agents import Agent, Runner, function_tool, set_tracing_disabled

set_tracing_disabled(True)  # Else its traces go to a host of their own.


@function_tool
def write_file(path: str, text: str) -> str:
    """Writes a text file."""
    with open(path, "w") as file:
        file.write(text)
    return f"wrote {len(text)} characters to {path}"


agent = Agent(name="clerk", instructions="You write files.", model="gpt-5-mini", tools=[write_file])
# Its client finds the gateway by OPENAI_BASE_URL.
print(Runner.run_sync(agent, "Write hello to out.txt.").final_output)
