import { damaged } from "./refusals.ts";
import {
  nextTag,
  skipAttributes,
  skipMarkup,
  type XmlScan,
  nextAttribute,
  nextChild,
  skipElement,
} from "./xml-scan.ts";
import { nameCode } from "./xml-namespaces.ts";

const LESS = 0x3c;
const AMPERSAND = 0x26;
const CARRIAGE_RETURN = 0x0d;

/**
 * Reads the text of the element just opened, including its end tag; skips child elements. Decodes entities
 * and converts line ends to `\n`. Escapes such as `_x000D_` are kept: see `unescapeCellText`.
 */
export function readText(scan: XmlScan): string {
  skipAttributes(scan);
  if (scan.selfClosing) return "";
  let text = "";
  for (;;) {
    text += readRun(scan);
    if (scan.bytes[scan.pos + 1] === 0x21 && scan.bytes[scan.pos + 2] === 0x5b)
      text += readCharacterData(scan);
    else if (scan.bytes[scan.pos + 1] === 0x2f) break;
    else if (scan.bytes[scan.pos + 1] === 0x21 || scan.bytes[scan.pos + 1] === 0x3f)
      scan.pos = skipMarkup(scan, scan.pos);
    else throw damaged(`${scan.part} has markup inside a text`);
  }
  nextTag(scan);
  skipAttributes(scan);
  return text;
}

/** Reads the text of an attribute value. */
export function attributeText(scan: XmlScan): string {
  return resolveEntities(scan.bytes.toString("utf8", scan.valueStart, scan.valueEnd));
}

/**
 * Decodes the escapes `_xHHHH_` with which Office stores control characters; drops NUL, which is not text.
 */
export function unescapeCellText(text: string): string {
  if (!text.includes("_x")) return text;
  return text
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll("\0", "")
    .toWellFormed();
}

/** Reads the text from the cursor to the next `<`, and moves the cursor there. */
function readRun(scan: XmlScan): string {
  const { bytes } = scan;
  const end = bytes.length;
  const start = scan.pos;
  let at = start;
  let seen = 0;
  let special = false;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === LESS) break;
    seen |= byte;
    if (byte === AMPERSAND || byte === CARRIAGE_RETURN || byte === 0) special = true;
  }
  if (at >= end) throw damaged(`${scan.part} is cut off`);
  scan.pos = at;
  if (at === start) return "";
  const text = seen < 0x80 ? bytes.toString("latin1", start, at) : bytes.toString("utf8", start, at);
  return special ? resolveOnce(scan, text) : text;
}

/** Names such as "Smith &amp; Sons" repeat in a sheet; they are decoded once. */
function resolveOnce(scan: XmlScan, text: string): string {
  const known = scan.resolved.get(text);
  if (known !== undefined) return known;
  const resolved = resolveEntities(plainRun(text));
  if (scan.resolved.size < MAX_RESOLVED) scan.resolved.set(text, resolved);
  return resolved;
}

const MAX_RESOLVED = 2000;

const plainRun = (text: string): string => text.replaceAll("\0", "").replace(/\r\n?/g, "\n");

function readCharacterData(scan: XmlScan): string {
  const start = scan.pos + 9;
  const end = scan.bytes.indexOf("]]>", start, "latin1");
  if (end < 0) throw damaged(`${scan.part} is cut off`);
  scan.pos = end + 3;
  return plainRun(scan.bytes.toString("utf8", start, end));
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** The longest is `#1114111`; a limit keeps a text of bare ampersands from taking quadratic time. */
const MAX_ENTITY = 8;

/** Decodes the five predefined entities and character references; any other name is kept as written. */
function resolveEntities(text: string): string {
  let at = text.indexOf("&");
  if (at < 0) return text;
  let resolved = "";
  let done = 0;
  for (; at >= 0; at = text.indexOf("&", at + 1)) {
    const ahead = text.slice(at + 1, at + 2 + MAX_ENTITY);
    const length = ahead.indexOf(";");
    const character = length < 0 ? undefined : entity(ahead.slice(0, length));
    if (character === undefined) continue;
    resolved += text.slice(done, at) + character;
    done = at + length + 2;
  }
  return resolved + text.slice(done);
}

/** @returns undefined for an unknown name */
function entity(name: string): string | undefined {
  if (!name.startsWith("#")) return ENTITIES.get(name);
  if (!/^#(?:x[0-9a-f]{1,6}|[0-9]{1,7})$/i.test(name)) return undefined;
  const code = Number(`0${name.slice(1)}`);
  if (code === 0) return "";
  return code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : "\uFFFD";
}

/** Attributes of an element by name; with any prefix, by ":name". */
export type Attributes = { get: (name: string) => string | undefined };

/** Calls `visit` with the attributes of each child with a name in the element opened last. */
export function eachChild(scan: XmlScan, name: number, visit: (attributes: Attributes) => void): void {
  while (nextChild(scan)) {
    const attributes = scan.name === name ? readAttributes(scan) : undefined;
    skipElement(scan);
    if (attributes) visit(attributes);
  }
}

/** Reads the attributes of the current tag and moves past it. */
export function readAttributes(scan: XmlScan): Attributes {
  const values = new Map<number, string>();
  while (nextAttribute(scan)) values.set(scan.attribute, attributeText(scan));
  return { get: (name) => values.get(nameCode(name)) };
}

export const isTrue = (text: string | undefined): boolean => text === "1" || text === "true";
