/** How the page of a study looks, on a screen and on paper. */
export const PAGE_STYLE = `
body { margin: 0; padding: 2rem 1rem 4rem; color: #1f2933; background: #fff;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
main { max-width: 62rem; margin: 0 auto; overflow-wrap: break-word; }
h1 { font-size: 1.8rem; margin-top: 0; }
h2 { font-size: 1.3rem; margin: 2em 0 .6em; border-bottom: 1px solid #d5d9de; }
.quiet { color: #5a6370; }
.charts { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; padding: .6rem; border: 1px solid #d5d9de; border-radius: 6px; max-width: 100%;
  box-sizing: border-box; }
figure svg { display: block; max-width: 100%; height: auto; }
figcaption { max-width: 440px; font-size: .85rem; color: #5a6370; margin-bottom: .4rem; }
figcaption b { color: #1f2933; }
[data-brush] figcaption { max-width: none; }
[data-brush] svg { cursor: crosshair; touch-action: none; user-select: none; }
[data-spot] { cursor: pointer; }
[data-spot]:hover { stroke: #000; }
path[data-spot]:hover { stroke-width: 3; stroke-opacity: 1; }
.faded { opacity: .08; }
tr.faded { opacity: .35; }
.brush { fill: #d55e00; fill-opacity: .25; stroke: #d55e00; pointer-events: none; }
.bar { margin: .2rem 0 0; min-height: 1.8em; font-size: .9rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem .3rem 0; text-align: left; border-bottom: 1px solid #d5d9de; vertical-align: top; }
td code { white-space: nowrap; }
pre { margin: 0; font: .85rem/1.4 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre-wrap; }
#tip { position: fixed; left: 0; top: 0; padding: .4rem .6rem; background: #1f2933; color: #fff; border-radius: 4px;
  pointer-events: none; max-width: 28rem; overflow-wrap: anywhere; }
#chosen { position: fixed; left: 0; right: 0; bottom: 0; padding: .8rem 1rem; background: #f3f5f7;
  border-top: 2px solid #0072b2; display: flex; gap: 1rem; justify-content: space-between; max-height: 40vh; overflow: auto; }
#command { margin-top: .4rem; user-select: all; font-weight: 600; }
[hidden] { display: none !important; }
@media print {
  body { padding: 0; font-size: 10pt; }
  main { max-width: none; }
  figure, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
  #tip, #chosen, .bar button { display: none !important; }
  .table { overflow: visible; }
  table { font-size: 7pt; }
  td code { white-space: normal; overflow-wrap: anywhere; }
}
`;
