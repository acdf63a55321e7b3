import type { Reply } from "./http.ts";

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
:root { color-scheme: light dark; --bg: #fff; --raised: #fff; --text: #212121; --soft: #565452; --faint: #6a6764; --line: #e7e5e2; --strong: #cfccc8; --control: #85817d;
  --accent: #13653f; --fill: #198754; --fill-hover: #13653f; --warn-bg: #fff3cd; --warn: #664d03; --warn-rule: #b48200; --sunken: #f8f7f5; --tint: #eff7f2; }
@media (prefers-color-scheme: dark) { :root { --bg: #121212; --raised: #1b1a1a; --text: #efeeec; --soft: #b8b5b2; --faint: #9d9a97; --line: #2a2928; --strong: #403e3c; --control: #83807c;
  --accent: #7fd0a6; --warn-bg: #3a2e0a; --warn: #ffe08a; --warn-rule: #d9a514; --sunken: #191818; --tint: #111b16; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 15px/24px Lato, system-ui, "Segoe UI", Roboto, sans-serif; font-variant-numeric: tabular-nums lining-nums; }
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; } p > a:only-child { display: inline-block; }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; border-radius: 4px; }
.top { display: flex; gap: 12px; align-items: center; min-height: 57px; padding: 8px 24px; padding-inline: max(24px, calc(50% - 576px)); border-bottom: 1px solid var(--line); }
.brand { font-weight: 900; font-size: 18px; letter-spacing: -.01em; text-decoration: none; color: var(--text); }
.tag { font-size: 12.5px; line-height: 18px; font-weight: 700; padding: 2px 8px; border-radius: 4px; color: var(--soft); box-shadow: inset 0 0 0 1px var(--strong); white-space: nowrap; }
.tag.warn { background: var(--warn-bg); color: var(--warn); box-shadow: none; margin-left: auto; white-space: normal; }
.tag.open { background: var(--warn-bg); color: var(--warn); box-shadow: none; }
main { max-width: 1200px; margin: 0 auto; padding: 32px 24px 64px; }
.card { margin-bottom: 48px; }
main.narrow { max-width: 34rem; padding: 48px 24px 64px; }
h1 { font-size: 32px; line-height: 40px; font-weight: 800; letter-spacing: -.012em; margin: 0 0 8px; text-wrap: balance; } h2 { font-size: 22px; line-height: 28px; font-weight: 800; letter-spacing: -.01em; margin: 0 0 12px; }
.lead { margin: 4px 0 24px; color: var(--soft); } .lead strong { color: var(--text); } .soft { color: var(--soft); margin-top: 0; }
fieldset { border: 0; padding: 0; margin: 0 0 24px; } legend { font-weight: 700; padding: 0; margin-bottom: 8px; }
.choice, .user { display: flex; gap: 12px; align-items: center; min-height: 56px; }
.choice { padding: 8px 12px 8px 4px; border-top: 1px solid var(--line); cursor: pointer; } .choice:last-child { border-bottom: 1px solid var(--line); } .choice:hover { background: var(--sunken); }
.choice:has(:checked) { background: var(--tint); }
.choice input { width: 18px; height: 18px; accent-color: var(--fill); flex: none; margin: 0 4px; }
.avatar { display: grid; place-items: center; width: 32px; height: 32px; border-radius: 50%; background: var(--tint); color: var(--accent); font-weight: 700; font-size: 12px; flex: none; }
.choice:has(:checked) .avatar { background: var(--bg); }
@media (max-width: 30rem) { .choice { flex-wrap: wrap; column-gap: 8px; } .choice .who { flex: 1 0 60%; } .choice .tag { margin-left: 72px; } }
.who { display: flex; flex-direction: column; min-width: 0; overflow-wrap: anywhere; } small { color: var(--faint); font-size: 13px; line-height: 20px; }
.user { padding: 4px 0; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); } .user a { margin-left: auto; white-space: nowrap; }
.ticks { margin: 0 0 24px; padding-left: 20px; }
.buttons { display: flex; gap: 12px; flex-wrap: wrap; } .buttons > * { flex: 1 1 8rem; }
button { font: inherit; line-height: 20px; font-weight: 700; min-height: 44px; padding: 4px 16px; border-radius: 6px; border: 1px solid var(--control); background: var(--bg); color: var(--text); cursor: pointer; }
button:hover { border-color: var(--soft); background: var(--sunken); }
button.primary { min-height: 48px; background: var(--fill); border-color: var(--fill); color: #fff; } button.primary:hover { background: #13653f; border-color: #13653f; }
button.quiet { border-color: transparent; background: none; color: var(--soft); width: 100%; } .aside { margin-top: 12px; }
.alert { border-left: 3px solid var(--warn-rule); background: var(--warn-bg); color: var(--warn); border-radius: 0 6px 6px 0; padding: 12px 16px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: 14px; line-height: 20px; } th, td { text-align: left; padding: 8px 12px; border-bottom: 1px solid var(--line); vertical-align: top; } :is(th, td):first-child { padding-left: 0; }
th { font-size: 13px; color: var(--faint); font-weight: 700; white-space: nowrap; border-bottom-color: var(--strong); } .num { text-align: right; white-space: nowrap; }
details > summary { cursor: pointer; min-height: 28px; } ul.plain { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--strong); } ul.plain > li { padding: 12px 0; border-bottom: 1px solid var(--line); }
form[role=search] { margin: 0 0 12px; }
.row { display: flex; gap: 12px; align-items: center; flex-wrap: wrap; justify-content: space-between; }
.grid { display: grid; gap: 24px 64px; } @media (min-width: 60rem) { .grid { grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); align-items: start; } .grid > :last-child { border-left: 1px solid var(--line); padding-left: 32px; } }
.grid > *, .card { min-width: 0; }
.inline { display: flex; gap: 8px; flex-wrap: wrap; align-items: end; margin-top: 8px; } .inline label { font-size: 14px; font-weight: 700; display: grid; gap: 4px; flex: 1 1 10rem; }
input[type=text] { font: inherit; font-weight: 400; padding: 4px 12px; border: 1px solid var(--control); border-radius: 6px; background: var(--bg); color: var(--text); min-height: 44px; width: 100%; }
time { white-space: nowrap; } img { max-width: 100%; height: auto; }
.row h2 { margin: 0; } .title { margin-bottom: 32px; } .title h1 { margin: 0; } .tags { display: flex; gap: 8px; flex-wrap: wrap; } .tag.good { color: var(--accent); }
.invoice { display: inline-grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 12px; width: calc(100% - 24px); vertical-align: top; align-items: baseline; }
.invoice .customer { grid-row: 2; overflow-wrap: anywhere; } .invoice time { grid-row: 3; color: var(--faint); font-size: 14px; } .invoice .num { grid-column: 2; grid-row: 1; font-weight: 700; } .invoice .tag { grid-column: 2; grid-row: 2; justify-self: end; }
@media (min-width: 48rem) { .invoice { grid-template-columns: 88px minmax(0, 1fr) 104px 104px 104px; } .invoice > * { grid-row: 1 !important; grid-column: auto !important; } .invoice .tag { justify-self: start; } }
details[open] { padding-bottom: 12px; } details .scroll { margin: 12px 0; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: 12px; margin: 0 0 12px; } dt { font-size: 13px; line-height: 20px; color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
.grow { flex: 1 1 16rem; margin: 0; } nav.row { margin-top: 12px; }
@media (max-width: 40rem) { .wide-only { display: none; } main, main.narrow { padding: 24px 16px 48px; } .top { padding-inline: 16px; } }
`;
