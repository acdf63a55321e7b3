import { damaged, WorkbookRefused } from "./refusals.ts";

/**
 * A cursor over the bytes of one XML part. Names are compared by number (see `nameCode`) without their prefix, and
 * nothing is turned into a string before it is asked for: that is what makes the reader fast.
 */
export type XmlScan = {
  readonly bytes: Buffer;
  readonly part: string;
  pos: number;
  /** Code of the current tag's local name. */
  name: number;
  closing: boolean;
  /** True for `<a/>`, known once the attributes have been read. */
  selfClosing: boolean;
  /** The attributes of the current tag are not used up yet. */
  inTag: boolean;
  attribute: number;
  valueStart: number;
  valueEnd: number;
  /** Texts with entities by what they stand for; see `xml-text.ts`. */
  readonly resolved: Map<string, string>;
};

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

export function scanXml(bytes: Buffer, part: string): XmlScan {
  return {
    bytes,
    part,
    pos: 0,
    name: 0,
    closing: false,
    selfClosing: false,
    inTag: false,
    attribute: 0,
    valueStart: 0,
    valueEnd: 0,
    resolved: new Map(),
  };
}

/** The number that stands for a local name. Two names could share one; the names used here do not. */
export function nameCode(name: string): number {
  let code = 0;
  for (let index = 0; index < name.length; index++) code = (Math.imul(code, 31) + name.charCodeAt(index)) | 0;
  return code;
}

/**
 * Moves to the next start or end tag; text, comments and processing instructions are passed over.
 * @returns false at the end of the part
 * @throws WorkbookRefused at a document type declaration or an unfinished tag
 */
export function nextTag(scan: XmlScan): boolean {
  if (scan.inTag) skipAttributes(scan);
  const { bytes } = scan;
  let at = findTag(scan);
  if (at < 0) return false;
  scan.closing = bytes[at] === SLASH;
  if (scan.closing) at++;
  scan.pos = at;
  scan.name = readName(scan);
  scan.selfClosing = false;
  // Most tags have no attributes: they are done with at once.
  scan.inTag = bytes[scan.pos] !== GREATER;
  if (!scan.inTag) scan.pos++;
  return true;
}

/** Moves to the next attribute of the current tag. @returns false behind the last one */
export function nextAttribute(scan: XmlScan): boolean {
  if (!scan.inTag) return false;
  const { bytes } = scan;
  const first = bytes[skipSpace(scan)];
  if (first === GREATER || first === SLASH) return endTag(scan);
  scan.attribute = readName(scan);
  if (bytes[skipSpace(scan)] !== EQUALS) throw damaged(`${scan.part} is not well-formed`);
  scan.pos++;
  const quote = bytes[skipSpace(scan)];
  if (quote !== QUOTE && quote !== APOSTROPHE) throw damaged(`${scan.part} is not well-formed`);
  const end = bytes.length;
  let at = scan.pos + 1;
  scan.valueStart = at;
  while (at < end && bytes[at] !== quote) at++;
  if (at >= end) throw damaged(`${scan.part} is cut off`);
  scan.valueEnd = at;
  scan.pos = at + 1;
  return true;
}

/** Passes over the content of the element just opened, its end tag included. */
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

/** Passes over what is left of the current tag. */
export function skipAttributes(scan: XmlScan): void {
  if (!scan.inTag) return;
  const { bytes } = scan;
  const end = bytes.length;
  let quote = 0;
  for (let at = scan.pos; at < end; at++) {
    const byte = bytes[at] as number;
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === GREATER) {
      scan.selfClosing = bytes[at - 1] === SLASH;
      scan.pos = at + 1;
      scan.inTag = false;
      return;
    } else if (byte === QUOTE || byte === APOSTROPHE) quote = byte;
  }
  throw damaged(`${scan.part} is cut off`);
}

/** @returns the place behind the next `<` that starts a tag, or -1 at the end of the part */
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

/** Reads a name at the cursor and leaves the cursor behind it. @returns its code, the prefix left out */
function readName(scan: XmlScan): number {
  const { bytes } = scan;
  const end = bytes.length;
  let at = scan.pos;
  let code = 0;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (ENDS_NAME[byte] === 1) break;
    code = byte === COLON ? 0 : (Math.imul(code, 31) + byte) | 0;
  }
  scan.pos = at;
  return code;
}

/** @returns the cursor, moved behind white space */
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
  if (scan.selfClosing) scan.pos++;
  if (bytes[scan.pos] !== GREATER) throw damaged(`${scan.part} is not well-formed`);
  scan.pos++;
  scan.inTag = false;
  return false;
}

/** @returns the place behind a comment, CDATA section or processing instruction that starts at `at` */
function skipMarkup(scan: XmlScan, at: number): number {
  const { bytes } = scan;
  let terminator = "?>";
  if (bytes[at + 1] === 0x21) {
    if (bytes[at + 2] === 0x2d) terminator = "-->";
    else if (bytes[at + 2] === 0x5b) terminator = "]]>";
    else throw documentType();
  }
  const found = bytes.indexOf(terminator, at + 2, "latin1");
  if (found < 0) throw damaged(`${scan.part} is cut off`);
  return found + terminator.length;
}

function documentType(): WorkbookRefused {
  return new WorkbookRefused(
    "not_plain",
    "The selected file is not a plain workbook: it carries a document type declaration, which Excel never writes. " +
      "Open it in Excel, save it as an Excel Workbook (*.xlsx), and upload that file.",
  );
}
