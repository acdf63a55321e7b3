import { formatCount } from "#formats/text/phrases.ts";
import { LABEL_SIZE, type DrawnText } from "#formats/label/drawing.ts";
import { measureText } from "#formats/label/measure-text.ts";
import type { LabelInLine } from "#features/labels/print/rules-pages.ts";

/** Labels that follow a separator. */
export type Group = { kind: "po" | "store"; value: string; count: number };

const HEADS = { po: "PURCHASE ORDER", store: "STORE" } as const;
const LEFT = 16;

const EMPTY = { texts: [], rules: [], symbols: [] };

/** A page in front of the labels of a purchase order or a store: no carton is given it by mistake, as it has no bar code. */
export function drawSeparator({ kind, value, count }: Group, fileName: string): LabelInLine {
  const texts = [
    textAt(HEADS[kind], { y: 120, size: 12, isBold: false }),
    textAt(value === "" ? "None" : value, { y: 160, size: 34, isBold: true }),
    textAt(`${formatCount(count)} ${count === 1 ? "label" : "labels"}`, { y: 196, size: 18, isBold: false }),
    textAt(fileName, { y: 220, size: 10, isBold: false }),
  ];
  const rule = { x: LEFT, width: LABEL_SIZE.width - 2 * LEFT, height: 3 };
  const rules = [
    { ...rule, y: 96 },
    { ...rule, y: 236 },
  ];
  return { common: EMPTY, own: { texts, rules, symbols: [] }, isFirst: true };
}

function textAt(text: string, { y, size, isBold }: Pick<DrawnText, "y" | "size" | "isBold">): DrawnText {
  const room = LABEL_SIZE.width - 2 * LEFT;
  const stretch = Math.min(1, Math.floor((room / measureText(text, size, isBold)) * 1000) / 1000);
  return { text, x: LEFT, y, size, isBold, align: "left", stretch };
}
