import { scanXml, type XmlScan } from "../xml-scan.ts";

/**
 * A sheet's XML as text of one character a byte, so that places in it are those of the scanner and what is copied
 * stays as it is.
 */
export type SheetText = { text: string; scan: XmlScan; part: string };

/** A piece of the text to be replaced. */
export type Edit = { start: number; end: number; text: string };

export function sheetText(xml: Buffer, part: string): SheetText {
  const text = partText(xml);
  return { text, scan: scanXml(Buffer.from(text, "latin1"), part), part };
}

/** A part's XML as text of one character a byte. */
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

/** Text to be put into a sheet's XML: entities for what is markup, Office's escapes for control characters. */
export function toXml(text: string): string {
  return toBytes(
    text
      .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
      .replaceAll(/[\0-\x08\x0b-\x1f\uFFFE\uFFFF]/g, escapeControl)
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;"),
  );
}

/** The characters of a text as the bytes they are stored as. */
export const toBytes = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

const escapeControl = (character: string) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" } as const;

/** A formula as Excel shows it; undefined when it holds entities other than the five. */
export function plainFormula(xml: string): string | undefined {
  if (/&(?!(?:lt|gt|quot|apos|amp);)/.test(xml) || xml.includes("<")) return undefined;
  return xml.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity as keyof typeof ENTITIES]);
}

export const formulaXml = (formula: string): string =>
  formula.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** `text` between two places with the edits made; edits are in order and do not overlap. */
export function applyEdits(
  text: string,
  from: number,
  { to, edits }: { to: number; edits: readonly Edit[] },
): string {
  let result = "";
  let at = from;
  for (const edit of edits) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at, to);
}
