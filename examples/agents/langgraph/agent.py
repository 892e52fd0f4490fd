"""An agent on LangGraph: a graph of a model and one tool."""
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition


@tool
def write_file(path: str, text: str) -> str:
    """Writes a text file."""
    with open(path, "w") as file:
        file.write(text)
    return f"wrote {len(text)} characters to {path}"


# ChatOpenAI finds the gateway by OPENAI_API_BASE, and by OPENAI_BASE_URL.
model = ChatOpenAI(model="gpt-5-mini").bind_tools([write_file])

graph = StateGraph(MessagesState)
graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
graph.add_node("tools", ToolNode([write_file]))
graph.add_edge(START, "model")
graph.add_conditional_edges("model", tools_condition)
graph.add_edge("tools", "model")

end = graph.compile().invoke({"messages": [("user", "Write hello to out.txt.")]})
print(end["messages"][-1].content)
