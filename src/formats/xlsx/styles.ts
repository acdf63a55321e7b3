import { classifyFormat, type FormatKind } from "./number-format.ts";
import { attributeText } from "./xml-text.ts";
import { nameCode, nextAttribute, nextTag, scanXml } from "./xml-scan.ts";

const NUM_FMT = nameCode("numFmt");
const NUM_FMT_ID = nameCode("numFmtId");
const FORMAT_CODE = nameCode("formatCode");
const CELL_XFS = nameCode("cellXfs");
const XF = nameCode("xf");
/** As many as Excel itself takes. */
const MOST_STYLES = 65_490;

/**
 * What each cell style makes of a number, by the style's index (`s` of a cell).
 * @param bytes the styles part; undefined when the workbook has none
 */
export function readStyles(bytes: Buffer | undefined): FormatKind[] {
  const kinds: FormatKind[] = [];
  if (!bytes) return kinds;
  const codes = new Map<number, string>();
  const scan = scanXml(bytes, "xl/styles.xml");
  let inCellStyles = false;
  while (nextTag(scan)) {
    if (scan.name === CELL_XFS) inCellStyles = !scan.closing;
    else if (scan.closing) continue;
    else if (scan.name === XF && inCellStyles && kinds.length < MOST_STYLES) {
      const { id } = readFormatAttributes(scan);
      kinds.push(classifyFormat(id, codes.get(id)));
    } else if (scan.name === NUM_FMT && codes.size < MOST_STYLES) {
      const { id, code } = readFormatAttributes(scan);
      codes.set(id, code);
    }
  }
  return kinds;
}

function readFormatAttributes(scan: Parameters<typeof nextAttribute>[0]): { id: number; code: string } {
  let id = 0;
  let code = "";
  while (nextAttribute(scan)) {
    if (scan.attribute === NUM_FMT_ID) id = Number(attributeText(scan));
    else if (scan.attribute === FORMAT_CODE) code = attributeText(scan);
  }
  return { id, code };
}
