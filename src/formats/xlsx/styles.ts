import { classifyFormat, type FormatKind } from "./number-format.ts";
import { attributeText } from "./xml-text.ts";
import { nameCode } from "./name-code.ts";
import { nextAttribute, nextChild, nextTag, scanXml, skipElement, type XmlScan } from "./xml-scan.ts";

const NUM_FMTS = nameCode("numFmts");
const NUM_FMT = nameCode("numFmt");
const NUM_FMT_ID = nameCode("numFmtId");
const FORMAT_CODE = nameCode("formatCode");
const CELL_XFS = nameCode("cellXfs");
const XF = nameCode("xf");
/** As many as Excel itself takes. */
const MAX_STYLES = 65_490;

/**
 * What each cell style makes of a number, by the style's index (`s` of a cell).
 * @param bytes the styles part; undefined when the workbook has none
 */
export function readStyles(bytes: Buffer | undefined): FormatKind[] {
  const kinds: FormatKind[] = [];
  if (!bytes) return kinds;
  const codes = new Map<number, string>();
  const scan = scanXml(bytes, "xl/styles.xml");
  nextTag(scan);
  while (nextChild(scan)) {
    if (scan.name === NUM_FMTS) readCodes(scan, codes);
    else if (scan.name === CELL_XFS) readCellStyles(scan, { codes, kinds });
    else skipElement(scan);
  }
  return kinds;
}

function readCodes(scan: XmlScan, codes: Map<number, string>): void {
  while (nextChild(scan)) {
    if (scan.name === NUM_FMT && codes.size < MAX_STYLES) {
      const { id, code } = readFormatAttributes(scan);
      codes.set(id, code);
    }
    skipElement(scan);
  }
}

type CellStyles = { codes: ReadonlyMap<number, string>; kinds: FormatKind[] };

function readCellStyles(scan: XmlScan, { codes, kinds }: CellStyles): void {
  while (nextChild(scan)) {
    if (scan.name === XF && kinds.length < MAX_STYLES) {
      const { id } = readFormatAttributes(scan);
      kinds.push(classifyFormat(id, codes.get(id)));
    }
    skipElement(scan);
  }
}

function readFormatAttributes(scan: XmlScan): { id: number; code: string } {
  let id = 0;
  let code = "";
  while (nextAttribute(scan)) {
    if (scan.attribute === NUM_FMT_ID) id = Number(attributeText(scan));
    else if (scan.attribute === FORMAT_CODE) code = attributeText(scan);
  }
  return { id, code };
}
