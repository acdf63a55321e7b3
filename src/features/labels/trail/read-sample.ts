import { decodeCode128 } from "#formats/gs1/decode.ts";
import { readLine } from "#formats/gs1/read-symbols.ts";
import { POINTS_PER_INCH, type Resolution } from "#formats/label/drawing.ts";
import { readFills, type Fill } from "#formats/pdf/read-fills.ts";

/** What the bars of one page hold, and how exact they are. */
export type ReadPage = {
  /** Data of each bar code that was found, in no order. */
  found: string[];
  /** Lines on which one was read. */
  lines: number;
  /** The most a bar or space is off its width, in modules. */
  error: number;
};

/** Lines of dots between two that are looked at: about a millimeter. */
const LINES_PER_INCH = 25;

/**
 * Reads bar codes back from the document itself: its bars are drawn as dots of the printer, a line each millimeter, and
 * read on each line as a scanner reads them. A dot is black when any ink touches it, as programs that print do it.
 * @param bytes a document of `writePdf`
 */
export function readPages(bytes: Buffer, page: { width: number; height: number }, resolution: Resolution) {
  return readFills(bytes).map((fills) => readPage(fills, page, resolution));
}

function readPage(
  fills: readonly Fill[],
  page: { width: number; height: number },
  { dotsPerInch }: Resolution,
): ReadPage {
  const dotsPerPoint = dotsPerInch / POINTS_PER_INCH;
  const step = Math.round(dotsPerInch / LINES_PER_INCH);
  const found = new Set<string>();
  let [lines, error] = [0, 0];
  for (let line = 0; line < page.height * dotsPerPoint; line += step) {
    // The middle of the row of dots, in points from the lower edge.
    const y = page.height - (line + 0.5) / dotsPerPoint;
    const inked = fills.filter((fill) => fill.y <= y && y <= fill.y + fill.height);
    const seen = readLine(dotsOf(inked, Math.ceil(page.width * dotsPerPoint), dotsPerPoint));
    for (const symbol of seen) {
      const decoded = decodeCode128(symbol.words);
      if (decoded?.kind !== "gs1-128") continue;
      found.add(decoded.data);
      lines += 1;
      error = Math.max(error, symbol.error);
    }
  }
  return { found: [...found], lines, error };
}

function dotsOf(inked: readonly Fill[], width: number, dotsPerPoint: number): Uint8Array {
  const dots = new Uint8Array(width);
  for (const { x, width: wide } of inked)
    dots.fill(1, Math.floor(x * dotsPerPoint), Math.ceil((x + wide) * dotsPerPoint));
  return dots;
}
