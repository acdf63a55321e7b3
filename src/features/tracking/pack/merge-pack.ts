import { PDFDocument } from "@cantoo/pdf-lib";
import { readFontFile } from "#platform/fonts.ts";
import {
  writePaper,
  drawTable,
  LEFT,
  openSheet,
  RIGHT,
  writeFacts,
  writeHeading,
  type Column,
  type Sheet,
} from "#features/tracking/paper.ts";

/** A part of a dispute pack, as PDF; without one, why it is missing, as a sentence. */
export type Part = { title: string; pdf: Uint8Array } | { title: string; missing: string };

/** The invoice of a pack, on its first page. */
export type PackHead = { number: string; customer: string; madeAt: string };

export type PackTask = { head: PackHead; parts: readonly Part[] };

/**
 * Merges the parts of a pack behind a first page that lists them. A part that can't be read is named there. Runs in a
 * thread, since a part may come from outside.
 */
export async function run(_bytes: Uint8Array, { head, parts }: PackTask): Promise<Uint8Array> {
  const pack = await PDFDocument.create({ updateMetadata: false });
  const rows: CoverRow[] = [];
  for (const part of parts) {
    const page = pack.getPageCount();
    const problem = "missing" in part ? part.missing : await addPages(pack, part.pdf);
    rows.push({ title: part.title, page: problem === "" ? page : null, problem });
  }
  const title = `Dispute pack of invoice ${head.number}`.trimEnd();
  const cover = drawCover(head, rows);
  await addPages(pack, await writePaper(title, cover, readFontFile), 0);
  pack.setTitle(title);
  return pack.save();
}

/** Copies all pages of a document. @returns why it can't be, as a sentence; empty when it was */
async function addPages(pack: PDFDocument, bytes: Uint8Array, at?: number): Promise<string> {
  try {
    const source = await PDFDocument.load(bytes, { updateMetadata: false, password: "" });
    const pages = await pack.copyPages(source, source.getPageIndices());
    if (pages.length === 0) return DAMAGED;
    for (const [offset, page] of pages.entries())
      if (at === undefined) pack.addPage(page);
      else pack.insertPage(at + offset, page);
    return "";
  } catch (error) {
    return error instanceof Error && /encrypt|password/i.test(error.message) ? LOCKED : DAMAGED;
  }
}

const LOCKED = "The file is protected by a password.";
const DAMAGED = "The file is damaged and can't be read.";

/** A part as listed: the page on which it begins, counted without the first ones, or why it is missing. */
type CoverRow = { title: string; page: number | null; problem: string };

const COLUMNS: readonly Column[] = [
  { x: LEFT, width: 190 },
  { x: 250, width: 56 },
  { x: 310, width: RIGHT - 310 },
];

/** Draws the first page of a pack, and more of them for a long list. */
function drawCover(head: PackHead, rows: readonly CoverRow[]): Sheet[] {
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
