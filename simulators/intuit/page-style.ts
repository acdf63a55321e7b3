import type { Reply } from "../kit/http.ts";

/** The style sheet of all simulator pages: light and dark, from 320 px up. */
export function styleSheet(): Reply {
  return {
    status: 200,
    headers: {
      "content-type": "text/css; charset=utf-8",
      "cache-control": "public, max-age=300",
      "x-content-type-options": "nosniff",
    },
    body: CSS,
  };
}

const CSS = `
:root { color-scheme: light dark; --bg: #f4f6f5; --card: #fff; --text: #1b2421; --soft: #56635e; --line: #d8dfdc;
  --accent: #0a6b3d; --on-accent: #fff; --warn-bg: #fdf0d9; --warn: #7a4b00; --tint: #eaf3ee; }
@media (prefers-color-scheme: dark) { :root { --bg: #121715; --card: #1b2220; --text: #e8eeeb; --soft: #a5b3ad; --line: #35403b;
  --accent: #57c793; --on-accent: #06251a; --warn-bg: #3a2c12; --warn: #f4cf8f; --tint: #20302a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 16px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); } p > a:only-child { display: inline-block; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.top { display: flex; gap: .75rem; align-items: center; padding: .75rem 1rem; background: var(--card); border-bottom: 1px solid var(--line); }
.brand { font-weight: 700; text-decoration: none; color: var(--text); }
.tag { font-size: .75rem; padding: .1rem .5rem; border-radius: 1rem; background: var(--tint); color: var(--soft); white-space: nowrap; }
.tag.warn { background: var(--warn-bg); color: var(--warn); margin-left: auto; white-space: normal; }
.tag.open { background: var(--warn-bg); color: var(--warn); }
main { max-width: 70rem; margin: 1.5rem auto; padding: 0 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; margin-bottom: 1.25rem; }
main.narrow { max-width: 30rem; margin: 2rem auto; width: calc(100% - 2rem); padding: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; line-height: 1.25; } h2 { font-size: 1.125rem; margin: 0 0 .75rem; }
.lead { margin: .25rem 0 1rem; } .soft { color: var(--soft); }
fieldset { border: 0; padding: 0; margin: 0 0 1.25rem; } legend { font-weight: 600; padding: 0; margin-bottom: .5rem; }
.choice, .user { display: flex; gap: .75rem; align-items: center; min-height: 3.25rem; }
.choice { padding: .5rem .75rem; border: 1px solid var(--line); border-radius: 10px; margin-bottom: .5rem; cursor: pointer; }
.choice:has(:checked) { border-color: var(--accent); background: var(--tint); }
.choice input { width: 1.15rem; height: 1.15rem; accent-color: var(--accent); flex: none; }
.avatar { display: grid; place-items: center; width: 2.25rem; height: 2.25rem; border-radius: 50%; background: var(--tint); color: var(--accent); font-weight: 700; font-size: .85rem; flex: none; }
.choice:has(:checked) .avatar { background: var(--card); }
@media (max-width: 30rem) { .choice { flex-wrap: wrap; column-gap: .5rem; padding-inline: .6rem; } .choice small { font-size: .8rem; } .choice .who { flex: 1; } .choice .tag { margin-left: 5rem; } }
.who { display: flex; flex-direction: column; min-width: 0; overflow-wrap: anywhere; } small { color: var(--soft); font-size: .85rem; }
.user a { margin-left: auto; white-space: nowrap; }
.ticks { margin: 0 0 1.25rem; padding-left: 1.25rem; }
.buttons { display: flex; gap: .75rem; flex-wrap: wrap; } .buttons > * { flex: 1 1 8rem; }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1rem; border-radius: 8px; border: 1px solid var(--line); background: var(--card); color: var(--text); cursor: pointer; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.quiet { border-color: transparent; background: none; color: var(--soft); width: 100%; } .aside { margin-top: .75rem; }
.alert { background: var(--warn-bg); color: var(--warn); border-radius: 8px; padding: .6rem .8rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .5rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-size: .8rem; color: var(--soft); font-weight: 600; white-space: nowrap; } .num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
details > summary { cursor: pointer; min-height: 1.75rem; } ul.plain { list-style: none; margin: 0; padding: 0; } ul.plain > li { padding: .6rem 0; border-bottom: 1px solid var(--line); } ul.plain > li:last-child { border: 0; }
form[role=search] { margin: 0 0 .75rem; }
.row { display: flex; gap: .75rem; align-items: center; flex-wrap: wrap; justify-content: space-between; }
.grid { display: grid; gap: 1.25rem; } @media (min-width: 60rem) { .grid { grid-template-columns: 2fr 1fr; align-items: start; } }
.grid > *, .card { min-width: 0; }
.inline { display: flex; gap: .5rem; flex-wrap: wrap; align-items: end; margin-top: .5rem; } .inline label { font-size: .85rem; color: var(--soft); display: grid; gap: .2rem; flex: 1 1 10rem; }
input[type=text] { font: inherit; padding: .45rem .6rem; border: 1px solid var(--soft); border-radius: 8px; background: var(--card); color: var(--text); min-height: 2.75rem; width: 100%; }
time { white-space: nowrap; }
.row h2 { margin: 0; } .title { margin-bottom: 1.25rem; } .title h1 { margin: 0; } .tags { display: flex; gap: .4rem; flex-wrap: wrap; } .tag.good { color: var(--accent); font-weight: 600; }
.invoice { display: inline-grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .75rem; width: calc(100% - 1.5rem); vertical-align: top; align-items: baseline; }
.invoice .customer { grid-row: 2; overflow-wrap: anywhere; } .invoice time { grid-row: 3; color: var(--soft); font-size: .85rem; } .invoice .num { grid-column: 2; grid-row: 1; } .invoice .tag { grid-column: 2; grid-row: 2; justify-self: end; }
@media (min-width: 48rem) { .invoice { grid-template-columns: 5.5rem minmax(0, 1fr) 6rem 8rem 6rem; } .invoice > * { grid-row: 1 !important; grid-column: auto !important; } .invoice .tag { justify-self: start; } }
details[open] { padding-bottom: .75rem; } details .scroll { margin: .75rem 0; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .75rem; margin: 0 0 .75rem; } dt { font-size: .8rem; color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.grow { flex: 1 1 16rem; margin: 0; } nav.row { margin-top: .75rem; }
@media (max-width: 40rem) { .wide-only { display: none; } .card { padding: 1rem; } }
`;
