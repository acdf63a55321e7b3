import type { LabelChoices } from "#features/labels/web/print-choices.tsx";
import type { FixedCell } from "#features/sheets/web/review.ts";

/** Name of the saved document: the server's, else the upload's, with exactly one ".pdf" at the end. */
export function pdfName(serverName: string | null, uploadName: string): string {
  if (serverName === null) return `${uploadName}.pdf`;
  return /\.pdf$/i.test(serverName) ? serverName : `${serverName}.pdf`;
}

/** Form fields sent with a file: its corrections and choices. */
export const sentBody = ({ cells, choices }: SentWith) => ({
  ...choices,
  ...(cells.length > 0 ? { cells: [...cells] } : {}),
});
type SentWith = { cells: readonly FixedCell[]; choices: LabelChoices };

/**
 * Draws bars as one path. @param symbol `bars` are widths of bars and spaces in modules, starting with a bar
 */
export function barsPath({ x, y, height, module, bars }: Bars): string {
  let left = x;
  let path = "";
  for (const [index, digit] of [...bars].entries()) {
    const width = Number(digit) * module;
    if (index % 2 === 0)
      path += `M${left.toFixed(3)} ${y}h${width.toFixed(3)}v${height}h-${width.toFixed(3)}z`;
    left += width;
  }
  return path;
}

type Bars = { x: number; y: number; height: number; module: number; bars: string };
