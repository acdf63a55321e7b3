import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Audited } from "#features/audit/index.ts";
import { busyReply } from "#features/sheets/index.ts";
import { barWidths, UNITS_PER_MODULE } from "#formats/gs1/bar-code.ts";
import { modulePoints, RESOLUTIONS, toPoints, type ResolutionName } from "#formats/label/drawing.ts";
import { writePdf } from "#formats/pdf/write-pdf.ts";
import { createZpl } from "#formats/zpl/write-zpl.ts";
import { quote } from "#formats/text/phrases.ts";
import { storageFailure } from "#integrations/objects/file-store.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { AppError, badRequest, notFound } from "#platform/errors.ts";
import { ThreadError, ThreadsBusy } from "#platform/threads/errors.ts";
import { runInThread } from "#platform/threads/run-in-thread.ts";
import { createTurns } from "#platform/threads/take-turn.ts";
import type {
  ChosenLabels,
  LabelChoices,
  LabelDrawing,
  Paper,
  PrintFormat,
  PrintOrder,
} from "#features/labels/contract.ts";
import { fillPages, NOTHING, PAGES, readFontFile, type Group } from "#features/labels/layout/pages.ts";
import { BarcodeUnreadable } from "#features/labels/layout/symbols.ts";
import { drawTestPage } from "#features/labels/layout/test-page.ts";
import { DOCUMENT_BOUNDS, DOCUMENT_TURNS, INLINE_LABELS, LABELS_AT_ONCE } from "#features/labels/limits.ts";
import { findLabelSettings, requireLabelSettings } from "#features/labels/settings.ts";
import type { LabelRange, LabelUpload, NumberedCarton, UploadId } from "#features/labels/types.ts";
import { createDrawer, LabelTooHigh, renderDocument } from "#features/labels/uploads/render.ts";
import * as store from "#features/labels/uploads/store.ts";
import { requireLabels } from "#features/labels/uploads/upload.ts";

/** A document with labels of one upload; complete before sending starts. */
export type LabelDocument = { upload: LabelUpload; format: PrintFormat; content: Buffer | Readable };

type Printing = {
  id: UploadId;
  upload: LabelUpload;
  ranges: readonly LabelRange[];
  format: PrintFormat;
  resolution: ResolutionName;
  paper: Paper;
  order: PrintOrder;
  separators: boolean;
};

/** Writes all labels of a new upload, whose first print is already recorded. */
export async function printNewLabels(
  ctx: Ctx,
  id: UploadId,
  { paper, order, separators }: LabelChoices,
): Promise<LabelDocument> {
  const upload = await requireLabels(ctx, id);
  const settings = await requireLabelSettings(ctx, id.realmId, { paper, order, separators });
  const ranges = [{ first: 1, last: upload.labelCount }];
  const own = { realmId: id.realmId, id: upload.id };
  const content = await writeDocument(ctx.db, { ...settings, id: own, upload, ranges, format: "pdf" });
  return { upload, format: "pdf", content };
}

/**
 * Prints labels of an upload again, with the same SSCCs, and records the print.
 * @throws AppError 404 for an unknown upload, 400 for labels it does not have
 */
export async function printLabels(
  ctx: Ctx & Audited,
  { id, chosen, by }: { id: UploadId; chosen: ChosenLabels; by: string },
): Promise<LabelDocument> {
  const { format = "pdf", labels, po_number: poNumber, ...form } = chosen;
  const upload = await requireLabels(ctx, id);
  const settings = await requireLabelSettings(ctx, id.realmId, form);
  const own = { realmId: id.realmId, id: upload.id };
  const ranges = await chooseRanges(ctx.db, { id: own, upload, labels, poNumber });
  const content = await writeDocument(ctx.db, { ...settings, id: own, upload, ranges, format });
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
    const keys = await store.listLabelKeys(db, id);
    const places = keys.filter((key) => key.poNumber === poNumber).map(({ seq }) => seq);
    if (places.length > 0) return joinPlaces(places);
    throw badRequest("no_such_order", `No label of this upload is for PO ${quote(poNumber)}.`);
  }
  if (labels.trim() === "") return [{ first: 1, last: upload.labelCount }];
  const places = new Set<number>();
  for (const part of labels.split(/[,;]/)) {
    const [, from, to] = /^\s*(\d{1,6})\s*(?:[-\u2013]\s*(\d{1,6})\s*)?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to ?? from)];
    if (from === undefined || first < 1 || last < first || last > upload.labelCount)
      throw badRequest("no_such_labels", `Enter labels between 1 and ${upload.labelCount}, like 1-3, 5.`);
    for (let place = first; place <= last; place += 1) places.add(place);
  }
  return joinPlaces([...places]);
}

/** Merges consecutive places into ranges, keeping their order. */
function joinPlaces(places: readonly number[]): LabelRange[] {
  const ranges: LabelRange[] = [];
  for (const place of places) {
    const before = ranges.at(-1);
    if (before?.last === place - 1) before.last = place;
    else ranges.push({ first: place, last: place });
  }
  return ranges;
}

const countLabels = (ranges: readonly LabelRange[]): number =>
  ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);

const takeTurn = createTurns(DOCUMENT_TURNS);
const RENDERING = new URL("./render.ts", import.meta.url);

/**
 * Writes a document: small ones here, others in a thread, one per company at a time. Every barcode is decoded
 * before this returns.
 * @throws AppError 500 if a barcode cannot be read back, 503 if too many documents of the company are waiting
 */
async function writeDocument(db: Db, printing: Printing): Promise<Buffer | Readable> {
  const { format, paper, resolution, upload } = printing;
  const { id, fileName, profile, shipFroms } = upload;
  const form = { format, paper, resolution, upload: { id, fileName, profile, shipFroms } };
  try {
    if (countLabels(printing.ranges) <= INLINE_LABELS) {
      return await concat(renderDocument(await concat(readLines(db, printing)), form));
    }
    const { realmId } = printing.id;
    const endTurn = await takeTurn(realmId);
    const path = join(tmpdir(), `dockside-labels-${randomUUID()}`);
    try {
      const bytes = () => concat(readLines(db, printing));
      const task = { bytes, input: { path, ...form }, owner: realmId };
      await runInThread<void>(RENDERING, task, DOCUMENT_BOUNDS);
      return (await open(path)).createReadStream();
    } finally {
      endTurn();
      // The open file stays readable after its deletion.
      await rm(path, { force: true });
    }
  } catch (error) {
    throw toReply(error);
  }
}

async function concat(pieces: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return Buffer.concat(all);
}

function toReply(error: unknown): unknown {
  if (error instanceof ThreadsBusy) return busyReply(error);
  const isThrown = ({ name }: { name: string }) => error instanceof ThreadError && error.thrown === name;
  if (error instanceof BarcodeUnreadable || isThrown(BarcodeUnreadable))
    return new AppError({
      status: 500,
      code: "barcode_unreadable",
      detail:
        "A barcode of these labels couldn't be read back after it was drawn, so they aren't printed. Contact us.",
      cause: error,
    });
  if (error instanceof LabelTooHigh || isThrown(LabelTooHigh)) {
    const { seq, zone, overMm } = (error as LabelTooHigh).params;
    return badRequest(
      "label_too_high",
      `Label ${seq} has no room on a quarter of a Letter sheet: its zone ${zone} needs ${overMm.toFixed(1)} mm more. Choose another paper.`,
    );
  }
  return storageFailure(error);
}

/** Reads the labels to print, in order, as lines of JSON. */
async function* readLines(db: Db, printing: Printing): AsyncGenerator<string> {
  const { id, ranges, order, separators } = printing;
  const places = ranges.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  );
  const isSorted = order === "file" && !separators;
  const groups = isSorted
    ? [{ group: null, seqs: places }]
    : sortLabels(await store.listLabelKeys(db, id), places, order);
  for (const { group, seqs } of groups) {
    if (group && separators) yield `${JSON.stringify(group)}\n`;
    for (let at = 0; at < seqs.length; at += LABELS_AT_ONCE)
      yield `${await store.readLabelsJson(db, id, seqs.slice(at, at + LABELS_AT_ONCE))}\n`;
  }
}

type LabelKey = { seq: number; poNumber: string; markFor: string };

/** Sorts numbers naturally: PO 9 before PO 10. */
const { compare } = new Intl.Collator("en", { numeric: true });

/** Sorts labels for printing, and groups adjacent ones with the same purchase order or store. */
function sortLabels(
  keys: readonly LabelKey[],
  places: readonly number[],
  order: PrintOrder,
): { group: Group; seqs: number[] }[] {
  const kind = order === "store" ? "store" : "po";
  const groupValue = ({ poNumber, markFor }: LabelKey) => (kind === "store" ? markFor : poNumber);
  const bySeq = new Map(keys.map((key) => [key.seq, key]));
  const chosen = places.map((place) => bySeq.get(place)).filter((key) => key !== undefined);
  if (order !== "file")
    chosen.sort((one, other) => compare(groupValue(one), groupValue(other)) || one.seq - other.seq);
  const groups: { group: Group; seqs: number[] }[] = [];
  for (const key of chosen) {
    const before = groups.at(-1);
    if (before?.group.value === groupValue(key)) {
      before.seqs.push(key.seq);
      before.group.count += 1;
    } else groups.push({ group: { kind, value: groupValue(key), count: 1 }, seqs: [key.seq] });
  }
  return groups;
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
  if (!carton) throw notFound("There is no such label. Reload the page.");
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
