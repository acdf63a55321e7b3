const ATTRIBUTES = new Set([
  "domain",
  "sparse",
  "status",
  "time",
  "type",
  "code",
  "element",
  "name",
  "bId",
  "startPosition",
  "maxResults",
  "totalCount",
]);

/** An answer as XML: the service's own names, small values of objects as attributes. */
export function toXml(body: Record<string, unknown>): string {
  const { time, ...rest } = body;
  const stamp = typeof time === "string" ? ` time="${escape(time)}"` : "";
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><IntuitResponse xmlns="http://schema.intuit.com/finance/v3"${stamp}>${children(rest)}</IntuitResponse>`;
}

function element(name: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map((one: unknown) => element(name, one)).join("");
  if (typeof value !== "object") return `<${name}>${escape(String(value))}</${name}>`;
  const fields = Object.entries(value) as [string, unknown][];
  const attributes = fields.filter(([key, inner]) => ATTRIBUTES.has(key) && typeof inner !== "object");
  const text = fields.find(([key, inner]) => key === "value" && typeof inner !== "object");
  const inner = text
    ? escape(String(text[1]))
    : children(
        Object.fromEntries(fields.filter(([key, one]) => !ATTRIBUTES.has(key) || typeof one === "object")),
      );
  return `<${name}${attributes.map(([key, one]) => ` ${key}="${escape(String(one))}"`).join("")}>${inner}</${name}>`;
}

function children(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => element(name, value))
    .join("");
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
