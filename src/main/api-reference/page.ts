import { escapeHtml } from "#platform/escape-html.ts";
import { describeSchema } from "./describe-schema.ts";
import type { Call, Schema } from "./read-calls.ts";
import { writeExample } from "./write-example.ts";

export type Search = { text: string; keysOnly: boolean };

type Page = {
  product: string;
  /** Address of this installation, for the examples. */
  origin: string;
  search: Search;
  /** Nonce of this response, for its style element. */
  nonce: string;
  problem: Schema;
};

/** Number of calls up to which they are shown in full. */
const OPEN_CALLS = 3;

/** Draws the calls that a search finds, as a page without script. */
export function drawPage(calls: readonly Call[], page: Page): string {
  const { product, search, nonce } = page;
  const found = calls.filter((call) => matches(call, search));
  const groups = [...new Set(found.map(({ group }) => group))];
  const isOpen = found.length <= OPEN_CALLS;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · ${escapeHtml(product)}</title>
<link rel="icon" href="/images/logo.svg" type="image/svg+xml">
<link rel="stylesheet" href="/fonts.css">
<link rel="stylesheet" href="/plain.css">
<script src="/before-script.js"></script>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body class="plain">
<header><a class="brand" href="/"><img src="/images/logo.svg" alt="" width="28" height="28"><span>${escapeHtml(product)}</span></a></header>
<main class="api">
<h1>API</h1>
${drawIntroduction(page)}
<form role="search" method="get" action="/api/">
<label>Search calls <input type="search" name="q" value="${escapeHtml(search.text)}"></label>
<label class="check"><input type="checkbox" name="keys" value="1"${search.keysOnly ? " checked" : ""}> Only calls for API keys</label>
<button type="submit">Search</button>
</form>
<p role="status">${found.length} of ${calls.length} calls</p>
${groups.length > 1 ? `<nav aria-label="Groups of calls"><ul>${groups.map((group) => `<li><a href="#${group}">${titleGroup(group)}</a></li>`).join("")}</ul></nav>` : ""}
${groups.map((group) => drawGroup(group, { calls: found, isOpen, origin: page.origin })).join("\n")}
</main>
</body>
</html>
`;
}

function drawIntroduction({ problem }: Page): string {
  return `<p>All calls, for our pages and for your own software. Your software sends an API key, which your company admin creates in Settings under Developers, as <code>Authorization: Bearer dk_…</code>. For tools, the same description is in <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<p>An error is a problem document, <code>application/problem+json</code>: <code>detail</code> is a sentence for users, <code>code</code> is for programs.</p>
<details><summary>Problem</summary>${drawText(describeSchema(problem))}</details>`;
}

const drawGroup = (
  group: string,
  { calls, isOpen, origin }: { calls: readonly Call[]; isOpen: boolean; origin: string },
): string =>
  `<section aria-labelledby="${group}"><h2 id="${group}">${titleGroup(group)}</h2>
${calls
  .filter((call) => call.group === group)
  .map((call) => drawCall(call, { isOpen, origin }))
  .join("\n")}
</section>`;

function drawCall(call: Call, { isOpen, origin }: { isOpen: boolean; origin: string }): string {
  const { id, method, path, summary, access, takesKey, isPublic, parameters, body, answers } = call;
  return `<details id="${id}"${isOpen ? " open" : ""}>
<summary><span class="call"><b>${method}</b> <code>${escapeHtml(path)}</code>${takesKey ? ' <span class="key">API key</span>' : ""}</span> <span class="what">${escapeHtml(summary)}</span></summary>
<div class="about">
<p>${escapeHtml(access)}</p>
${parameters.length > 0 ? `<h3>Parameters</h3><dl>${parameters.map(drawParameter).join("")}</dl>` : ""}
${body.map(([type, schema]) => `<h3>Body: <code>${escapeHtml(type)}</code></h3>${drawText(describeSchema(schema))}`).join("")}
<h3>Responses</h3><dl>${answers.map(drawAnswer).join("")}</dl>
${takesKey || isPublic ? `<h3>Example</h3>${drawText(writeExample(call, origin))}` : "<p>Only for signed-in users; API keys can't call it.</p>"}
</div>
</details>`;
}

const drawParameter = ({
  name,
  in: place,
  required,
  description,
  schema,
}: Call["parameters"][number]): string =>
  `<dt><code>${escapeHtml(name)}</code> in ${place}${required ? "" : ", optional"}</dt><dd>${drawText(describeSchema(schema))}${description ? `<p>${escapeHtml(description)}</p>` : ""}</dd>`;

const drawAnswer = ({ status, description, content }: Call["answers"][number]): string =>
  `<dt>${status === "default" ? "Other" : status}: ${escapeHtml(description)}</dt><dd>${content
    .map(([type, schema]) => `<p><code>${escapeHtml(type)}</code></p>${drawText(describeSchema(schema))}`)
    .join("")}</dd>`;

const drawText = (text: string): string => `<pre>${escapeHtml(text)}</pre>`;

const titleGroup = (group: string): string => {
  const words = group.replaceAll("-", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** Every word of the search must be somewhere in the call's method, path, summary or access. */
function matches({ method, path, summary, access, takesKey }: Call, { text, keysOnly }: Search): boolean {
  const about = `${method} ${path} ${summary} ${access}`.toLowerCase();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (!keysOnly || takesKey) && words.every((word) => about.includes(word));
}

/** Styles of the page in addition to those of `plain.css`, whose colors they use. */
const STYLE = `
.api { overflow-wrap: anywhere; }
.api > p { max-width: 76ch; }
.api form { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: end; margin: 24px 0 8px; }
.api label { display: grid; gap: 4px; font-weight: 700; }
.api form > label:first-child { flex: 0 1 28rem; }
.api label.check { display: flex; align-items: center; gap: 8px; min-height: 44px; font-weight: 400; }
.api input[type="checkbox"] { width: 24px; height: 24px; margin: 0; accent-color: var(--on); }
.api input[type="search"] { min-height: 44px; padding: 8px 12px; font: inherit; font-weight: 400; color: inherit;
  background: var(--raised); border: 1px solid var(--caption); border-radius: 6px; }
.api button { min-height: 44px; padding: 8px 20px; font: inherit; font-weight: 700; color: #fff; background: #198754;
  border: 0; border-radius: 6px; cursor: pointer; }
.api nav ul { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 16px 0 0; padding: 0; list-style: none; }
.api nav a { display: inline-block; min-height: 24px; padding: 4px 0; }
.api h2 { font-size: 1.375rem; }
.api h3 { margin: 20px 0 4px; font-size: 0.9375rem; }
.api details { margin: 8px 0; border: 1px solid var(--line); border-radius: 6px; background: var(--raised); }
.api summary { padding: 10px 16px; cursor: pointer; }
.api .call { font-weight: 400; }
.api .what { display: block; color: var(--quiet); }
.api .key { padding: 2px 8px; border-radius: 4px; font-size: 0.8125rem; color: var(--on-chip); background: var(--chip); }
.api .about { padding: 0 16px 16px; border-top: 1px solid var(--line); }
.api details > pre { margin: 0 16px 16px; }
.api dl { margin: 0; }
.api dt { margin-top: 8px; color: var(--quiet); }
.api dd { margin: 4px 0 0; }
.api dd p { margin: 4px 0; }
.api code, .api pre { font-family: ui-monospace, Consolas, monospace; font-size: 0.8125rem; }
.api pre { margin: 4px 0; padding: 8px 12px; white-space: pre-wrap; background: var(--sunken); border-radius: 6px; }
.api :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`;
