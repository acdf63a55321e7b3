import { Readable } from "node:stream";
import type { Audited } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import { badRequest } from "#platform/errors.ts";
import { quote } from "#formats/text/phrases.ts";
import { requireUpload } from "#features/labels/ledger/find-upload.ts";
import { addPrint, listPlaces, type LabelUpload, type UploadId } from "#features/labels/ledger/store.ts";
import type { ChosenLabels } from "#features/labels/print/contract.ts";
import { createDrawer, readCartons, renderPdf, renderZpl } from "#features/labels/print/render-labels.ts";
import { countIn, rangesOfPlaces, readRanges, type LabelRange } from "#features/labels/print/rules-ranges.ts";
import { requireLabelSettings } from "#features/labels/settings/read-label-settings.ts";

type Request = { id: UploadId; chosen: ChosenLabels; by: string; format: "pdf" | "zpl" };

/**
 * Prints labels of an upload once more: the same numbers, counted as printed.
 * @throws AppError 404 when the company has no such upload, 400 for labels that it does not have
 */
export async function printLabels(
  ctx: Ctx & Audited,
  { id, chosen, by, format }: Request,
): Promise<{ upload: LabelUpload; content: Readable }> {
  const upload = await requireUpload(ctx, id);
  const { resolution, ...usual } = await requireLabelSettings(ctx, id.realmId);
  const { paper = usual.paper, order = usual.order, separators = usual.separators } = chosen;
  const ranges = await rangesOf(ctx, { id, upload, chosen });
  if (format === "pdf" && paper === "letter-4") await refuseTooHigh(ctx, { ...id, upload, ranges });
  await ctx.db.transaction().execute(async (tx) => {
    await addPrint(tx, id, { id: ctx.ids.uuid(), ranges, by, at: ctx.clock.now() });
    const after = { file: upload.fileName, labels: countIn(ranges), format };
    await ctx.audit(tx, { action: "labels.print", ids: { upload: id.id }, after });
  });
  const render = format === "pdf" ? renderPdf : renderZpl;
  const toPrint = { realmId: id.realmId, upload, resolution, ranges, paper, order, separators };
  return { upload, content: Readable.from(render(ctx.db, toPrint)) };
}

type ToFit = UploadId & { upload: LabelUpload; ranges: readonly LabelRange[] };

/** A quarter of a sheet is lower than the labels that were checked when they were made. */
async function refuseTooHigh({ db }: Ctx, { realmId, upload, ranges }: ToFit): Promise<void> {
  const { findTextFaults } = createDrawer({ upload, resolution: "203", paper: "letter-4" });
  for await (const carton of readCartons(db, { realmId, upload }, ranges)) {
    const [fault] = findTextFaults(carton);
    if (fault)
      throw badRequest(
        "label_too_high",
        `Label ${carton.seq} has no room on a quarter of a Letter sheet: its zone ${fault.letter} needs ${fault.overMm.toFixed(1)} mm more. Choose another paper.`,
      );
  }
}

type Chosen = { id: UploadId; upload: LabelUpload; chosen: ChosenLabels };

async function rangesOf({ db }: Ctx, { id, upload, chosen }: Chosen): Promise<LabelRange[]> {
  const { labels = "", po_number: poNumber } = chosen;
  if (poNumber !== undefined) {
    const ranges = rangesOfPlaces(await listPlaces(db, id, poNumber));
    if (ranges.length > 0) return ranges;
    throw badRequest("no_such_order", `No label of this upload is for PO ${quote(poNumber)}.`);
  }
  if (labels.trim() === "") return [{ first: 1, last: upload.labelCount }];
  const read = readRanges(labels, upload.labelCount);
  if ("ranges" in read) return read.ranges;
  throw badRequest(
    "no_such_labels",
    `${quote(read.wrong)} is no range of labels. Write places from 1 to ${upload.labelCount}, such as 1-20, 35.`,
  );
}
