/** Styles of the page beside those of `plain.css`, whose colors they use. */
export const STYLE = `
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
