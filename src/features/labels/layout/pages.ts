import {
  LABEL_SIZE,
  POINTS_PER_INCH,
  toDots,
  type DrawnLabel,
  type DrawnText,
  type Resolution,
} from "#formats/label/drawing.ts";
import { measureText } from "#formats/label/measure-text.ts";
import type { PlacedLabel } from "#formats/pdf/write-pdf.ts";
import { formatCount } from "#formats/text/phrases.ts";
import type { Paper } from "#features/labels/contract.ts";

type Size = { width: number; height: number };

/** A page, its label size, and the position of each label; in points. */
export type PageForm = { page: Size; label: Size; places: readonly { x: number; y: number }[] };

const LETTER = { width: 8.5 * POINTS_PER_INCH, height: 11 * POINTS_PER_INCH };
/** A quarter of a Letter sheet is shorter than a roll label; barcodes keep their size. */
const QUARTER_LABEL = { width: LABEL_SIZE.width, height: 378 };

export const PAGES: Readonly<Record<Paper, PageForm>> = {
  roll: { page: LABEL_SIZE, label: LABEL_SIZE, places: [{ x: 0, y: 0 }] },
  "letter-2": centerLabels({ width: LETTER.height, height: LETTER.width }, LABEL_SIZE, {
    across: 2,
    down: 1,
  }),
  "letter-4": centerLabels(LETTER, QUARTER_LABEL, { across: 2, down: 2 }),
};

/** Centers labels in equal parts of a page. */
function centerLabels(page: Size, label: Size, { across, down }: { across: number; down: number }): PageForm {
  const part = { width: page.width / across, height: page.height / down };
  const places = Array.from({ length: across * down }, (_, at) => ({
    x: part.width * (at % across) + (part.width - label.width) / 2,
    y: part.height * Math.floor(at / across) + (part.height - label.height) / 2,
  }));
  return { page, label, places };
}

/** A label; `isFirst` starts a new page. */
export type LabelInOrder = DrawnLabel & { isFirst: boolean };

/** Fills pages with labels in their order. */
export async function* fillPages(
  labels: AsyncIterable<LabelInOrder>,
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

/** Labels that follow a separator page. */
export type Group = { kind: "po" | "store"; value: string; count: number };

const HEADS = { po: "PURCHASE ORDER", store: "STORE" } as const;
const LEFT = 16;
export const NOTHING = { texts: [], rules: [], symbols: [] };

/**
 * Draws a separator page before the labels of an order or store. It has no barcode, so that it can't be
 * mistaken for a carton label.
 */
export function drawSeparator({ kind, value, count }: Group, fileName: string): LabelInOrder {
  const texts = [
    separatorText(HEADS[kind], { y: 120, size: 12, isBold: false }),
    separatorText(value === "" ? "None" : value, { y: 160, size: 34, isBold: true }),
    separatorText(`${formatCount(count)} ${count === 1 ? "label" : "labels"}`, {
      y: 196,
      size: 18,
      isBold: false,
    }),
    separatorText(fileName, { y: 220, size: 10, isBold: false }),
  ];
  const rule = { x: LEFT, width: LABEL_SIZE.width - 2 * LEFT, height: 3 };
  const rules = [
    { ...rule, y: 96 },
    { ...rule, y: 236 },
  ];
  return { common: NOTHING, own: { texts, rules, symbols: [] }, isFirst: true };
}

function separatorText(
  text: string,
  { y, size, isBold }: Pick<DrawnText, "y" | "size" | "isBold">,
): DrawnText {
  const room = LABEL_SIZE.width - 2 * LEFT;
  const stretch = Math.min(1, Math.floor((room / measureText(text, size, isBold)) * 1000) / 1000);
  return { text, x: LEFT, y, size, isBold, align: "left", stretch };
}
