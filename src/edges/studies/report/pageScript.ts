/** What the page of a study does when it is pointed at, clicked or brushed. Texts reach the page as text nodes alone. */
import { createHash } from "node:crypto";

export const PAGE_SCRIPT = `
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const tip = document.getElementById("tip");
const chosen = document.getElementById("chosen");
const said = document.getElementById("said");
const command = document.getElementById("command");
const brushed = document.getElementById("brushed");
const clear = document.getElementById("clear");
// There where the page is served by one who plays.
const play = document.getElementById("play");
const MARKS = "[data-spot], [data-at]";
function spotOf(mark) {
  const at = mark.getAttribute("data-at");
  if (at === null) return data.spots[Number(mark.getAttribute("data-spot"))];
  const [point, outcome] = at.split(" ").map(Number);
  const { head, outcomes } = data.points[point];
  return { points: [point], says: head.concat(outcome === undefined ? outcomes.flat() : outcomes[outcome]) };
}
const markAt = (event) => event.target.closest && event.target.closest(MARKS);

document.addEventListener("pointermove", (event) => {
  const mark = markAt(event);
  tip.hidden = !mark;
  if (!mark) return;
  tip.textContent = spotOf(mark).says.join("\\n");
  const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  const y = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8);
  tip.style.transform = "translate(" + Math.max(0, x) + "px," + Math.max(0, y) + "px)";
});

let playing = null;
function open(says, points) {
  [playing = null] = points.filter((point) => data.opening[point]);
  if (play) play.disabled = playing === null;
  const shown = points.slice(0, 5).map((point) => data.opening[point]).filter(Boolean);
  chosen.hidden = false;
  said.textContent = says.join("\\n");
  command.textContent = shown.join("\\n") || "No run stands behind this mark.";
}

document.addEventListener("click", async (event) => {
  const mark = markAt(event);
  if (mark) return open(spotOf(mark).says, spotOf(mark).points);
  const row = play && event.target.closest && event.target.closest("tr[data-point]");
  if (row && String(getSelection()) === "") {
    const point = Number(row.getAttribute("data-point"));
    const { head, outcomes } = data.points[point];
    return open(head.concat(outcomes.flat()), [point]);
  }
  if (event.target.id === "play") return played(playing);
  if (event.target.id === "close") chosen.hidden = true;
  if (event.target.id === "copy") {
    try {
      await navigator.clipboard.writeText(command.textContent);
      event.target.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(command);
      event.target.textContent = "Selected";
    }
    setTimeout(() => { event.target.textContent = "Copy"; }, 1500);
  }
});
async function played(point) {
  play.disabled = true;
  const answer = await fetch("play" + location.search, { method: "POST", body: JSON.stringify({ point }) });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (text + part.value).split("\\n");
    text = lines.pop();
    for (const line of lines) {
      const told = JSON.parse(line);
      if (told.page) return location.assign("../" + told.page + "/" + location.search);
      said.textContent = told.fault || "Playing: " + Math.floor(told.virtualMs / 60000) + " minutes of virtual time …";
    }
  }
  play.disabled = false;
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  chosen.hidden = true;
  ranges.clear();
  brush();
});

const ranges = new Map();
const drawing = document.querySelector("[data-brush] svg");
const all = data.brush ? Object.keys(data.brush.at) : [];
const marks = [...document.querySelectorAll(MARKS)]
  .map((mark) => [mark, spotOf(mark).points])
  .filter(([, points]) => points.length > 0);
let isWaiting = false;
function brushSoon() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => { isWaiting = false; brush(); });
}

function brush() {
  const kept = new Set(all.filter((point) => [...ranges].every(([axis, range]) => {
    const at = data.brush.at[point][axis];
    return at !== null && at >= range[0] && at <= range[1];
  })).map(Number));
  const isOn = ranges.size > 0;
  for (const [mark, points] of marks)
    mark.classList.toggle("faded", isOn && !points.some((point) => kept.has(point)));
  for (const row of document.querySelectorAll("[data-point]"))
    row.classList.toggle("faded", isOn && !kept.has(Number(row.getAttribute("data-point"))));
  if (!brushed) return;
  brushed.textContent = isOn ? kept.size + " of " + all.length + " points chosen" : "";
  clear.hidden = !isOn;
  for (const old of drawing.querySelectorAll(".brush")) old.remove();
  for (const [axis, [low, high]] of ranges) {
    const { top, bottom, axes } = data.brush;
    const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    rect.setAttribute("class", "brush");
    rect.setAttribute("x", axes[axis].x - 9);
    rect.setAttribute("width", 18);
    rect.setAttribute("y", bottom - high * (bottom - top));
    rect.setAttribute("height", (high - low) * (bottom - top));
    drawing.append(rect);
  }
}

if (drawing) {
  let from = null;
  const place = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(drawing.getScreenCTM().inverse());
    const { top, bottom } = data.brush;
    return { x: at.x, y: Math.min(1, Math.max(0, (bottom - at.y) / (bottom - top))) };
  };
  drawing.addEventListener("pointerdown", (event) => {
    const { x, y } = place(event);
    const axis = data.brush.axes.findIndex((one) => Math.abs(one.x - x) < 14);
    if (axis < 0) return;
    event.preventDefault();
    drawing.setPointerCapture(event.pointerId);
    from = { axis, y };
  });
  drawing.addEventListener("pointermove", (event) => {
    if (from === null) return;
    const { y } = place(event);
    ranges.set(from.axis, [Math.min(from.y, y), Math.max(from.y, y)]);
    brushSoon();
  });
  drawing.addEventListener("pointerup", (event) => {
    if (from === null) return;
    const range = ranges.get(from.axis);
    if (Math.abs(place(event).y - from.y) < 0.01 || !range) ranges.delete(from.axis);
    from = null;
    brush();
  });
  clear.addEventListener("click", () => { ranges.clear(); brush(); });
}
`;

const hash = createHash("sha256").update(PAGE_SCRIPT).digest("base64");

/** What the page of a study may do: run this script; where it is served by one who plays, also ask that server. */
export const studyPolicy = (isPlayed = false): string =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src 'sha256-${hash}'`,
    ...(isPlayed ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
