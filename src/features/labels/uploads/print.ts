import type { Readable } from "node:stream";
import type { Audited } from "#features/audit/index.ts";
import { barWidths, UNITS_PER_MODULE } from "#formats/gs1/bar-code.ts";
import { modulePoints, RESOLUTIONS, toPoints } from "#formats/label/drawing.ts";
import { writePdf } from "#formats/pdf/write-pdf.ts";
import { createZpl } from "#formats/zpl/write-zpl.ts";
import { quote } from "#formats/text/phrases.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { badRequest, notFound } from "#platform/errors.ts";
import type {
  ChosenLabels,
  LabelChoices,
  LabelDrawing,
  Paper,
  PrintFormat,
} from "#features/labels/contract.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { fillPages, NOTHING, PAGES } from "#features/labels/layout/pages.ts";
import { readFontFile } from "#platform/fonts.ts";
import { drawTestPage } from "#features/labels/layout/test-page.ts";
import { findLabelSettings, requireLabelSettings } from "#features/labels/settings.ts";
import type { LabelRange, LabelUpload, NumberedCarton, UploadId } from "#features/labels/types.ts";
import { concat, countLabels, writeDocument } from "#features/labels/uploads/documents.ts";
import { createDrawer } from "#features/labels/uploads/render.ts";
import * as store from "#features/labels/uploads/store.ts";
import { requireLabels } from "#features/labels/uploads/upload.ts";

/** A document with labels of one upload; complete before sending starts. */
export type LabelDocument = { upload: LabelUpload; format: PrintFormat; content: Buffer | Readable };

/** Writes all labels of a new upload, whose first print is already recorded. */
export async function printNewLabels(
  ctx: LabelsCtx,
  id: UploadId,
  { paper, order, separators }: LabelChoices,
): Promise<LabelDocument> {
  const upload = await requireLabels(ctx, id);
  const settings = await requireLabelSettings(ctx, id.realmId, { paper, order, separators });
  const ranges = [{ first: 1, last: upload.labelCount }];
  const own = { realmId: id.realmId, id: upload.id };
  const content = await writeDocument(ctx, { ...settings, id: own, upload, ranges, format: "pdf" });
  return { upload, format: "pdf", content };
}

/**
 * Prints labels of an upload again, with the same SSCCs, and records the print.
 * @throws AppError 404 for an unknown upload, 400 for labels it does not have
 */
export async function printLabels(
  ctx: LabelsCtx & Audited,
  { id, chosen, by }: { id: UploadId; chosen: ChosenLabels; by: string },
): Promise<LabelDocument> {
  const { format = "pdf", labels, po_number: poNumber, ...form } = chosen;
  const upload = await requireLabels(ctx, id);
  const settings = await requireLabelSettings(ctx, id.realmId, form);
  const own = { realmId: id.realmId, id: upload.id };
  const ranges = await chooseRanges(ctx.db, { id: own, upload, labels, poNumber });
  const content = await writeDocument(ctx, { ...settings, id: own, upload, ranges, format });
  await ctx.db.transaction().execute(async (tx) => {
    await store.addPrint(tx, own, { id: ctx.ids.uuid(), ranges, by, at: ctx.clock.now() });
    const after = { file: upload.fileName, labels: countLabels(ranges), format };
    await ctx.audit(tx, { action: "labels.print", ids: { upload: upload.id }, after });
  });
  return { upload, format, content };
}

type Choice = {
  id: UploadId;
  upload: LabelUpload;
  labels: string | undefined;
  poNumber: string | undefined;
};

async function chooseRanges(db: Db, { id, upload, labels = "", poNumber }: Choice): Promise<LabelRange[]> {
  if (poNumber !== undefined) {
    const ranges = await store.findRangesOfOrder(db, id, poNumber);
    if (ranges.length > 0) return ranges;
    throw badRequest("no_such_order", `No label of this upload is for PO ${quote(poNumber)}.`);
  }
  if (labels.trim() === "") return [{ first: 1, last: upload.labelCount }];
  const ranges: LabelRange[] = [];
  for (const part of labels.split(/[,;]/)) {
    const [, from, to] = /^\s*(\d{1,6})\s*(?:[-\u2013]\s*(\d{1,6})\s*)?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to ?? from)];
    if (from === undefined || first < 1 || last < first || last > upload.labelCount)
      throw badRequest("no_such_labels", `Enter labels between 1 and ${upload.labelCount}, like 1-3, 5.`);
    ranges.push(...leaveOut({ first, last }, ranges));
  }
  return ranges;
}

/** The parts of a range that are in none of some others. */
function leaveOut(range: LabelRange, others: readonly LabelRange[]): LabelRange[] {
  return others.reduce<LabelRange[]>(
    (parts, { first, last }) =>
      parts.flatMap((part) =>
        [
          { first: part.first, last: Math.min(part.last, first - 1) },
          { first: Math.max(part.first, last + 1), last: part.last },
        ].filter((each) => each.first <= each.last),
      ),
    [range],
  );
}

/** Draws one label for the preview. @throws AppError 404 if the upload has no label at this place */
export async function showLabel(
  ctx: Pick<Ctx, "db">,
  id: UploadId,
  { seq, paper: chosen }: { seq: number; paper?: Paper | undefined },
): Promise<LabelDrawing> {
  const upload = await requireLabels(ctx, id);
  const { resolution: name, paper: usual } = await requireLabelSettings(ctx, id.realmId);
  const own = { realmId: id.realmId, id: upload.id };
  const [carton] = JSON.parse(await store.readLabelsJson(ctx.db, own, [seq])) as NumberedCarton[];
  if (!carton) throw notFound("We can't find this label. Reload the page.");
  const paper = chosen ?? usual;
  const resolution = RESOLUTIONS[name];
  const { common, own: drawn } = createDrawer({ upload, resolution: name, paper })(carton);
  const both = [common, drawn];
  return {
    ...PAGES[paper].label,
    texts: both.flatMap(({ texts }) => texts.map(({ isBold, ...text }) => ({ ...text, bold: isBold }))),
    rules: both.flatMap(({ rules }) => rules.map((rule) => ({ ...rule }))),
    symbols: drawn.symbols.map((symbol) => ({
      x: toPoints(symbol.leftDots, resolution),
      y: symbol.y,
      height: symbol.height,
      module: modulePoints(resolution) / UNITS_PER_MODULE[symbol.symbology],
      bars: barWidths(symbol),
    })),
    sscc: carton.sscc,
    prints: await store.countPrints(ctx.db, own, seq),
  };
}

/** Writes a test page for the printer, on the company's paper. */
export async function writeTestPage(
  { db }: Pick<Ctx, "db">,
  realmId: string,
  format: PrintFormat,
): Promise<Buffer> {
  const { resolution: name = "203", paper = "roll" } = (await findLabelSettings(db, realmId)) ?? {};
  const resolution = RESOLUTIONS[name];
  const test = { common: NOTHING, own: drawTestPage(name, format), isFirst: false };
  if (format === "zpl") return Buffer.from(createZpl({ resolution, label: PAGES.roll.label })(test));
  const form = PAGES[paper];
  const labels = async function* () {
    for (const _ of form.places) yield test;
  };
  const { page, label } = form;
  const pages = fillPages(labels(), form, resolution);
  const about = { title: "Test page", resolution, page, label, pages, fontFile: readFontFile };
  return concat(writePdf(about));
}
