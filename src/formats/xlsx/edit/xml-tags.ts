/** A part's XML as text of one character a byte, so that what is copied stays as it is. */
export function partText(xml: Buffer): string {
  // A part in another encoding has been turned into UTF-8 when it was unpacked; its declaration must say so.
  return xml.toString("latin1").replace(/^([^>]{0,200}\bencoding\s*=\s*["'])[^"']*/, "$1UTF-8");
}

/**
 * The prefix of a part's first element, as it is written: "x:" in a part of prefixes, else "". Elements of the part's
 * main namespace carry it; others of the same name belong to an extension.
 */
export function prefixOf(text: string): string {
  return /<((?:[\w.\x80-\xff-]+:)?)[\w.\x80-\xff-]+[\s>/]/.exec(text)?.[1] ?? "";
}

const PATTERNS = new Map<string, RegExp>();

/** Whole attributes in front are passed over: one may hold a text that looks like another. */
function patternOf(name: string): RegExp {
  const known = PATTERNS.get(name);
  if (known) return known;
  const others = String.raw`(?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*?`;
  const pattern = new RegExp(String.raw`^(<[^\s/>]+${others})\s+${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`);
  PATTERNS.set(name, pattern);
  return pattern;
}

/** The value of an attribute as it is written in a start tag. */
export function valueIn(tag: string, name: string): string | undefined {
  const match = patternOf(name).exec(tag);
  return match?.[2] ?? match?.[3];
}

/** A start tag with another value of an attribute, or without the attribute. */
export function withValue(tag: string, name: string, value: string | undefined): string {
  const xml = value === undefined ? "" : ` ${name}="${value}"`;
  const pattern = patternOf(name);
  if (pattern.test(tag)) return tag.replace(pattern, (_, before: string) => before + xml);
  return tag.replace(/\/?>$/, (end) => xml + end);
}

/** Text to be put into a part: entities for what is markup, Office's escapes for control characters. */
export function toXml(text: string): string {
  const escaped = text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replaceAll(/[\0-\x08\x0b-\x1f\uFFFE\uFFFF]/g, escapeControl);
  return toBytes(escapeMarkup(escaped).replaceAll('"', "&quot;"));
}

/** The characters of a text as the bytes they are stored as. */
export const toBytes = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

export const escapeMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const escapeControl = (character: string) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" } as const;

/** A formula as Excel shows it; undefined when it holds entities other than the five. */
export function plainFormula(xml: string): string | undefined {
  if (/&(?!(?:lt|gt|quot|apos|amp);)/.test(xml) || xml.includes("<")) return undefined;
  return xml.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity as keyof typeof ENTITIES]);
}
