import { guardWorkbook } from "./guard.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { unpackPart } from "./unpack-part.ts";
import { findParts } from "./workbook-parts.ts";
import { attributeText, readText } from "./xml-text.ts";
import { nameCode } from "./name-code.ts";
import { nextAttribute, nextChild, nextTag, scanXml, skipElement, type XmlScan } from "./xml-scan.ts";

const DEFINED_NAMES = nameCode("definedNames");
const DEFINED_NAME = nameCode("definedName");
const NAME = nameCode("name");
const MAX_NAMES = 1000;

/**
 * The names defined in a workbook and the formulas they stand for, as stored: `Lists!$A$2:$A$9`, `"a text"`.
 * @throws FileRefused when the file is not a workbook or is damaged
 */
export function readNames(bytes: Uint8Array, limits: Limits = DEFAULT_LIMITS): Map<string, string> {
  const archive = guardWorkbook(bytes, limits);
  const { workbook } = findParts(archive);
  const names = new Map<string, string>();
  const scan = scanXml(unpackPart(archive, workbook) ?? Buffer.alloc(0), workbook);
  nextTag(scan);
  while (nextChild(scan)) {
    if (scan.name === DEFINED_NAMES) readList(scan, names);
    else skipElement(scan);
  }
  return names;
}

function readList(scan: XmlScan, names: Map<string, string>): void {
  while (nextChild(scan)) {
    if (scan.name === DEFINED_NAME && names.size < MAX_NAMES) {
      let name = "";
      while (nextAttribute(scan)) if (scan.attribute === NAME) name = attributeText(scan);
      names.set(name, readText(scan));
    } else skipElement(scan);
  }
}
