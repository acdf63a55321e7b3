import { RESOLUTIONS, type DrawnLabel, type ResolutionName } from "#formats/label/drawing.ts";
import { writePdf } from "#formats/pdf/write-pdf.ts";
import { createZpl } from "#formats/zpl/write-zpl.ts";
import type { Db } from "#platform/db/connect.ts";
import type { ShipFrom } from "#features/labels/layout/rules-content.ts";
import { createLayout } from "#features/labels/layout/rules-layout.ts";
import { findBuiltIn } from "#features/labels/layout/rules-profiles.ts";
import { type LabelUpload, type NumberedCarton, readLabels } from "#features/labels/ledger/store.ts";
import { listLabelKeys, readLabelsAt } from "#features/labels/ledger/store-order.ts";
import { FIRST_LABELS, LABELS_AT_ONCE } from "#features/labels/limits.ts";
import type { Paper, PrintOrder } from "#features/labels/print/contract.ts";
import { sortLabels } from "#features/labels/print/rules-order.ts";
import { fillPages, pageOf, type LabelInLine } from "#features/labels/print/rules-pages.ts";
import type { LabelRange } from "#features/labels/print/rules-ranges.ts";
import { readFontFile } from "#features/labels/print/read-fonts.ts";
import { drawSeparator } from "#features/labels/print/rules-separators.ts";

export type ToDraw = { realmId: string; upload: LabelUpload; resolution: ResolutionName };

/** How labels come out: on what paper, in what order, and with or without a page in front of each order or store. */
export type PrintForm = { paper: Paper; order: PrintOrder; separators: boolean };
export type ToPrint = ToDraw & PrintForm & { ranges: readonly LabelRange[] };

/** Draws the labels of an upload for a printer, as high as they are on some paper. */
export function createDrawer({ upload, resolution, paper = "roll" }: Drawer) {
  const { height } = pageOf(paper).label;
  const layout = createLayout(
    upload.printedBy ?? findBuiltIn(upload.profile),
    RESOLUTIONS[resolution],
    height,
  );
  const fromOf = ({ row }: NumberedCarton): ShipFrom => {
    const from = upload.shipFroms[row.shipFrom] ?? upload.shipFroms[""];
    if (!from) throw new Error(`Upload ${upload.id} has no ship-from address.`);
    return from;
  };
  return {
    draw: (carton: NumberedCarton): DrawnLabel =>
      layout.draw(carton, { from: fromOf(carton), prefix: carton.prefix }),
    findTextFaults: (carton: NumberedCarton) => layout.findTextFaults(carton, fromOf(carton)),
  };
}
type Drawer = Omit<ToDraw, "realmId"> & { paper?: Paper };

/** Labels as a PDF, piece by piece: however many there are, few are in memory. */
export function renderPdf(db: Db, toPrint: ToPrint): AsyncGenerator<Buffer> {
  const resolution = RESOLUTIONS[toPrint.resolution];
  const form = pageOf(toPrint.paper);
  const pages = fillPages(drawInOrder(db, toPrint), form, resolution);
  const { page, label } = form;
  return writePdf({ title: toPrint.upload.fileName, resolution, page, label, pages, fontFile: readFontFile });
}

/** The same for Zebra printers, whose paper is a roll. */
export async function* renderZpl(db: Db, toPrint: ToPrint): AsyncGenerator<string> {
  const write = createZpl({ resolution: RESOLUTIONS[toPrint.resolution], label: pageOf("roll").label });
  for await (const label of drawInOrder(db, { ...toPrint, paper: "roll" })) yield write(label);
}

/** Labels as they are printed, with separators in front of those that belong together. */
async function* drawInOrder(db: Db, toPrint: ToPrint): AsyncGenerator<LabelInLine> {
  const { upload, ranges, order, separators } = toPrint;
  const { draw } = createDrawer(toPrint);
  if (order === "file" && !separators) {
    for await (const carton of readCartons(db, toPrint, ranges)) yield { ...draw(carton), isFirst: false };
    return;
  }
  const id = { realmId: toPrint.realmId, id: upload.id };
  for (const { group, seqs } of sortLabels(await listLabelKeys(db, id), ranges, order)) {
    if (separators) yield drawSeparator(group, upload.fileName);
    for (let at = 0; at < seqs.length; at += LABELS_AT_ONCE)
      for (const carton of await readLabelsAt(db, id, seqs.slice(at, at + LABELS_AT_ONCE)))
        yield { ...draw(carton), isFirst: false };
  }
}

/** Labels of an upload in the order of ranges, few at once and as many as that, however short the ranges are. */
export async function* readCartons(
  db: Db,
  { realmId, upload }: Omit<ToDraw, "resolution">,
  ranges: readonly LabelRange[],
): AsyncGenerator<NumberedCarton> {
  const id = { realmId, id: upload.id };
  for (const places of partsOf(ranges)) {
    const [from = 0] = places;
    const isRange = places.every((place, at) => place === from + at);
    yield* isRange
      ? await readLabels(db, id, { from, limit: places.length })
      : await readLabelsAt(db, id, places);
  }
}

/** Places of labels in their order, in parts of which each is read at once; the first is small, as somebody waits for it. */
function* partsOf(ranges: readonly LabelRange[]): Generator<number[]> {
  let places: number[] = [];
  let most = FIRST_LABELS;
  for (const { first, last } of ranges)
    for (let place = first; place <= last; place += 1) {
      places.push(place);
      if (places.length < most) continue;
      yield places;
      places = [];
      most = LABELS_AT_ONCE;
    }
  if (places.length > 0) yield places;
}
