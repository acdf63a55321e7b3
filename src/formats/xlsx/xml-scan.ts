import { damaged } from "./refusals.ts";
import { FileRefused } from "../facts.ts";
import { closeElement, isMainPrefix, applyTag, tagEnd, unknownNamespaces } from "./xml-namespaces.ts";

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const COLON = 0x3a;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SPACE = 0x20;

const ENDS_NAME = new Uint8Array(256);
ENDS_NAME.fill(1, 0, SPACE + 1);
for (const byte of [GREATER, SLASH, EQUALS]) ENDS_NAME[byte] = 1;

/** An element outside the part's main namespace. */
const FOREIGN: number = 0;

/**
 * A cursor over the bytes of one XML part. Names are compared by code (see `nameCode`), and bytes are decoded
 * to strings only on request, which makes the reader fast.
 */
export const scanXml = (bytes: Buffer, part: string) => ({
  bytes,
  part,
  namespaces: unknownNamespaces(),
  pos: 0,
  /** Code of the current tag's name without its prefix; FOREIGN outside the part's main namespace. */
  name: FOREIGN,
  closing: false,
  /** True for `<a/>`; known once the attributes have been read. */
  selfClosing: false,
  /** Whether attributes of the current tag are still unread. */
  inTag: false,
  /** Code of the attribute's name; with any prefix, the code of ":name". */
  attribute: 0,
  valueStart: 0,
  valueEnd: 0,
  /** Decoded texts with entities; see `xml-text.ts`. */
  resolved: new Map<string, string>(),
});

export type XmlScan = ReturnType<typeof scanXml>;

/**
 * Moves to the next start or end tag; skips text, comments and processing instructions.
 * @returns false at the end of the part
 * @throws FileRefused for a document type declaration or an unfinished tag
 */
export function nextTag(scan: XmlScan): boolean {
  if (scan.inTag) skipAttributes(scan);
  const { bytes } = scan;
  let at = findTag(scan);
  if (at < 0) {
    scan.name = FOREIGN;
    return false;
  }
  scan.closing = bytes[at] === SLASH;
  if (at > scan.namespaces.nextTag) applyTag(scan.namespaces, { bytes, at });
  if (scan.closing) at++;
  scan.pos = at;
  scan.name = readElementName(scan);
  scan.selfClosing = false;
  // Most tags have no attributes and need no further work.
  scan.inTag = bytes[scan.pos] !== GREATER;
  if (!scan.inTag) scan.pos++;
  return true;
}

/**
 * Moves to the next child of the element that was opened last; the previous child must have been read or
 * skipped completely.
 * @returns false at the end of that element, and at the end of the part
 */
export function nextChild(scan: XmlScan): boolean {
  if (scan.inTag && !scan.closing) {
    skipAttributes(scan);
    if (scan.selfClosing) return false;
  }
  return nextTag(scan) && !scan.closing;
}

/** Moves to the next attribute of the current tag. @returns false after the last one */
export function nextAttribute(scan: XmlScan): boolean {
  if (!scan.inTag) return false;
  const { bytes } = scan;
  const first = bytes[skipSpace(scan)];
  if (first === GREATER || first === SLASH) return endTag(scan);
  scan.attribute = readAttributeName(scan);
  if (bytes[scan.pos] !== EQUALS && bytes[skipSpace(scan)] !== EQUALS) throw notWellFormed(scan);
  scan.pos++;
  let quote = bytes[scan.pos];
  // Writers almost never put a space here.
  if (quote !== QUOTE) quote = bytes[skipSpace(scan)];
  if (quote !== QUOTE && quote !== APOSTROPHE) throw notWellFormed(scan);
  const end = bytes.length;
  let at = scan.pos + 1;
  scan.valueStart = at;
  while (at < end && bytes[at] !== quote) at++;
  if (at >= end) throw damaged(`${scan.part} is cut off`);
  scan.valueEnd = at;
  scan.pos = at + 1;
  return true;
}

/** Skips the content and end tag of the element just opened. */
export function skipElement(scan: XmlScan): void {
  if (scan.inTag) skipAttributes(scan);
  if (scan.selfClosing) return;
  for (let depth = 1; depth > 0;) {
    if (!nextTag(scan)) throw damaged(`${scan.part} is cut off`);
    if (scan.closing) depth--;
    else {
      skipAttributes(scan);
      if (!scan.selfClosing) depth++;
    }
  }
  skipAttributes(scan);
}

/** Skips the rest of the current tag. */
export function skipAttributes(scan: XmlScan): void {
  if (!scan.inTag) return;
  const end = tagEnd(scan.bytes, scan.pos);
  if (end < 0) throw damaged(`${scan.part} is cut off`);
  scan.selfClosing = scan.bytes[end - 1] === SLASH;
  leaveTag(scan, end);
}

/** @returns the offset after the next `<` that starts a tag, or -1 at the end of the part */
function findTag(scan: XmlScan): number {
  const { bytes } = scan;
  const end = bytes.length;
  let at = scan.pos;
  for (;;) {
    while (at < end && bytes[at] !== LESS) at++;
    if (at + 1 >= end) return -1;
    const next = bytes[at + 1];
    if (next !== 0x21 && next !== 0x3f) return at + 1;
    at = skipMarkup(scan, at);
  }
}

/** Reads a name at the cursor and moves past it. @returns its code, or a code that matches no name here */
function readElementName(scan: XmlScan): number {
  const { bytes, namespaces } = scan;
  const end = bytes.length;
  let at = scan.pos;
  let code = 0;
  let isMain = namespaces.mainWithoutPrefix;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (ENDS_NAME[byte] === 1) break;
    if (byte === COLON) {
      isMain = isMainPrefix(namespaces, code);
      code = 0;
    } else code = (Math.imul(code, 31) + byte) | 0;
  }
  scan.pos = at;
  return isMain ? code : FOREIGN;
}

/** Reads an attribute name; a prefix counts only by its colon. */
function readAttributeName(scan: XmlScan): number {
  const { bytes } = scan;
  const end = bytes.length;
  let at = scan.pos;
  let code = 0;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (ENDS_NAME[byte] === 1) break;
    code = byte === COLON ? COLON : (Math.imul(code, 31) + byte) | 0;
  }
  scan.pos = at;
  return code;
}

/** @returns the cursor after white space */
function skipSpace(scan: XmlScan): number {
  const { bytes } = scan;
  const end = bytes.length;
  let at = scan.pos;
  while (at < end && (bytes[at] as number) <= SPACE) at++;
  scan.pos = at;
  return at;
}

function endTag(scan: XmlScan): false {
  const { bytes } = scan;
  scan.selfClosing = bytes[scan.pos] === SLASH;
  const end = scan.selfClosing ? scan.pos + 1 : scan.pos;
  if (bytes[end] !== GREATER) throw notWellFormed(scan);
  leaveTag(scan, end);
  return false;
}

/** @param end offset of the tag's `>` */
function leaveTag(scan: XmlScan, end: number): void {
  scan.pos = end + 1;
  scan.inTag = false;
  if (scan.selfClosing && !scan.closing) closeElement(scan.namespaces);
}

/** @returns the offset after a comment, CDATA section or processing instruction that starts at `at` */
export function skipMarkup(scan: XmlScan, at: number): number {
  const { bytes } = scan;
  let terminator = "?>";
  if (bytes[at + 1] === 0x21) {
    if (bytes[at + 2] === 0x2d) terminator = "-->";
    else if (bytes[at + 2] === 0x5b) terminator = "]]>";
    else throw new FileRefused("not_plain");
  }
  const found = bytes.indexOf(terminator, at + 2, "latin1");
  if (found < 0) throw damaged(`${scan.part} is cut off`);
  return found + terminator.length;
}

const notWellFormed = ({ part }: XmlScan): FileRefused => damaged(`${part} is not well-formed`);
