/** Markup that is already escaped. */
export type Html = { readonly markup: string };

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Template tag: escapes every value, except markup made by this tag; joins arrays; omits false and null. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return {
    markup: parts.reduce((out, part, i) => out + part + (i < values.length ? render(values[i]) : ""), ""),
  };
}

function render(value: unknown): string {
  if (value === null || value === undefined || value === false) return "";
  if (Array.isArray(value)) return value.map(render).join("");
  if (isHtml(value)) return value.markup;
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function isHtml(value: unknown): value is Html {
  return typeof value === "object" && value !== null && "markup" in value;
}
