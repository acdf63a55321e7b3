import type { Limits } from "../limits.ts";
import { damaged } from "./refusals.ts";
import { FileRefused } from "../facts.ts";
import { readText, unescapeCellText } from "./xml-text.ts";
import { nameCode } from "./xml-namespaces.ts";
import { nextChild, nextTag, scanXml, skipAttributes, skipElement, type XmlScan } from "./xml-scan.ts";

const SI = nameCode("si");
const T = nameCode("t");
const RUN = nameCode("r");

/**
 * Text beyond any cell's limit is refused where it is used; joining millions of runs before that would take
 * memory.
 */
const MAX_KEPT = 65_536;

/** Reads the texts that cells refer to by index. @param bytes the part; undefined if the workbook has none */
export function readSharedStrings(bytes: Buffer | undefined, limits: Limits): string[] {
  const strings: string[] = [];
  if (!bytes) return strings;
  // Represents every text too long for a cell: a cell with one is refused, so its content need not be stored.
  const tooLong = "x".repeat(limits.maxTextLength + 1);
  const scan = scanXml(bytes, "xl/sharedStrings.xml");
  nextTag(scan);
  while (nextChild(scan)) {
    if (scan.name !== SI) {
      skipElement(scan);
      continue;
    }
    if (strings.length >= limits.maxSharedStrings) {
      throw new FileRefused("too_many_texts");
    }
    const text = readRichText(scan, SI);
    strings.push(text.length > limits.maxTextLength ? tooLong : text);
  }
  return strings;
}

/**
 * Reads the text of the element just opened: joins its runs, skips phonetic hints, and unescapes.
 * @param closing code of that element's name
 */
export function readRichText(scan: XmlScan, closing: number): string {
  skipAttributes(scan);
  if (scan.selfClosing) return "";
  let text = "";
  for (;;) {
    if (!nextTag(scan)) throw damaged(`${scan.part} is cut off`);
    if (scan.closing) {
      if (scan.name !== closing) continue;
      skipAttributes(scan);
      return unescapeCellText(text);
    }
    if (scan.name === T) {
      const run = readText(scan);
      if (text.length <= MAX_KEPT) text += run;
    } else if (scan.name !== RUN) skipElement(scan);
  }
}
