import { nameCode } from "./xml-namespaces.ts";
import { classifyFormat, type FormatKind } from "./number-format.ts";
import { eachChild } from "./xml-text.ts";
import { nextChild, nextTag, scanXml, skipElement } from "./xml-scan.ts";

const NUM_FMTS = nameCode("numFmts");
const NUM_FMT = nameCode("numFmt");
const CELL_XFS = nameCode("cellXfs");
const XF = nameCode("xf");
/** Excel's own limit. */
const MAX_STYLES = 65_490;

/**
 * Reads the number format of each cell style, by the style's index (`s` of a cell).
 * @param bytes the styles part; undefined if the workbook has none
 */
export function readStyles(bytes: Buffer | undefined): FormatKind[] {
  const kinds: FormatKind[] = [];
  if (!bytes) return kinds;
  const codes = new Map<number, string>();
  const scan = scanXml(bytes, "xl/styles.xml");
  nextTag(scan);
  while (nextChild(scan)) {
    if (scan.name === NUM_FMTS)
      eachChild(scan, NUM_FMT, (format) => {
        if (codes.size < MAX_STYLES)
          codes.set(Number(format.get("numFmtId") ?? 0), format.get("formatCode") ?? "");
      });
    else if (scan.name === CELL_XFS)
      eachChild(scan, XF, (style) => {
        const id = Number(style.get("numFmtId") ?? 0);
        if (kinds.length < MAX_STYLES) kinds.push(classifyFormat(id, codes.get(id)));
      });
    else skipElement(scan);
  }
  return kinds;
}
