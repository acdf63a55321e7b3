/** Fields whose values describe Intuit and no user or company. */
const KEPT = new Set([
  "code",
  "type",
  "element",
  "sparse",
  "domain",
  "status",
  "SyncToken",
  "DetailType",
  "bId",
  "error",
]);

/** A text without what must not be kept, and without any number that could be an id. */
export function redactText(text: string, secrets: ReadonlySet<string>): string {
  const open = [...secrets].filter(Boolean).sort((a, b) => b.length - a.length);
  const hidden = open.reduce(
    (rest, secret) => rest.replaceAll(secret, "…").replaceAll(encodeURIComponent(secret), "…"),
    text,
  );
  return hidden.replaceAll(/\d{4,}/g, "#").replaceAll(/[\w.+-]+(?:@|%40)[\w.-]+/g, "…");
}

/** The shape of an answer: names and types stay, values only where they are Intuit's own words. */
export function redactJson(value: unknown, secrets: ReadonlySet<string>, key = ""): unknown {
  if (Array.isArray(value)) return value.slice(0, 3).map((each) => redactJson(each, secrets, key));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, redactJson(each, secrets, name)]),
    );
  if (KEPT.has(key) || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return 0;
  if (key === "Message" || key === "Detail") return redactText(String(value), secrets);
  return "text";
}
