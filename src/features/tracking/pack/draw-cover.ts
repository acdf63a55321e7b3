import type { PackHead } from "#features/tracking/pack/part.ts";
import {
  drawTable,
  LEFT,
  openSheet,
  RIGHT,
  writeFacts,
  writeHeading,
  type Column,
  type Sheet,
} from "#features/tracking/paper.ts";

/** A part as listed: the page on which it begins, counted without the first ones, or why it is missing. */
export type CoverRow = { title: string; page: number | null; problem: string };

const COLUMNS: readonly Column[] = [
  { x: LEFT, width: 190 },
  { x: 250, width: 56 },
  { x: 310, width: RIGHT - 310 },
];

/** Draws the first page of a pack, and more of them for a long list. */
export function drawCover(head: PackHead, rows: readonly CoverRow[]): Sheet[] {
  const draw = (count: number): Sheet[] => {
    const sheet = openSheet("Dispute pack", head.number);
    writeFacts(sheet, [
      ["Invoice", head.number],
      ["Customer", head.customer],
      ["Made", head.madeAt],
    ]);
    writeHeading(sheet, "Contents");
    const cells = rows.map(({ title, page, problem }) => [
      title,
      page === null ? "missing" : `page ${page + count + 1}`,
      problem,
    ]);
    return drawTable(sheet, cells, COLUMNS);
  };
  const sheets = draw(1);
  return sheets.length === 1 ? sheets : draw(sheets.length);
}
