import {
  LABEL_SIZE,
  POINTS_PER_INCH,
  toDots,
  type DrawnLabel,
  type Resolution,
} from "#formats/label/drawing.ts";
import type { PlacedLabel } from "#formats/pdf/write-pdf.ts";
import type { Paper } from "#features/labels/print/contract.ts";

type Size = { width: number; height: number };

/** A page of some paper, the labels on it, and where each begins; in points. */
export type PageForm = { page: Size; label: Size; places: readonly { x: number; y: number }[] };

const LETTER = { width: 8.5 * POINTS_PER_INCH, height: 11 * POINTS_PER_INCH };
/** A quarter of a Letter sheet is lower than a label of a roll; bar codes stay as large as they are. */
const QUARTER_LABEL = { width: LABEL_SIZE.width, height: 378 };

const PAGES: Readonly<Record<Paper, PageForm>> = {
  roll: { page: LABEL_SIZE, label: LABEL_SIZE, places: [{ x: 0, y: 0 }] },
  "letter-2": inMiddles({ width: LETTER.height, height: LETTER.width }, LABEL_SIZE, { across: 2, down: 1 }),
  "letter-4": inMiddles(LETTER, QUARTER_LABEL, { across: 2, down: 2 }),
};

export const pageOf = (paper: Paper): PageForm => PAGES[paper];

/** Labels in the middles of equal parts of a page. */
function inMiddles(page: Size, label: Size, { across, down }: { across: number; down: number }): PageForm {
  const part = { width: page.width / across, height: page.height / down };
  const places = Array.from({ length: across * down }, (_, at) => ({
    x: part.width * (at % across) + (part.width - label.width) / 2,
    y: part.height * Math.floor(at / across) + (part.height - label.height) / 2,
  }));
  return { page, label, places };
}

/** A label, and whether it begins a page of its own. */
export type LabelInLine = DrawnLabel & { isFirst: boolean };

/** Pages full of labels, in their order. */
export async function* fillPages(
  labels: AsyncIterable<LabelInLine>,
  { places }: PageForm,
  resolution: Resolution,
): AsyncGenerator<PlacedLabel[]> {
  let page: PlacedLabel[] = [];
  for await (const { common, own, isFirst } of labels) {
    if (page.length === places.length || (isFirst && page.length > 0)) {
      yield page;
      page = [];
    }
    const { x, y } = places[page.length] ?? { x: 0, y: 0 };
    page.push({ common, own, leftDots: toDots(x, resolution), topDots: toDots(y, resolution) });
  }
  if (page.length > 0) yield page;
}
