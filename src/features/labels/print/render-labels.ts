import {
  LABEL_SIZE,
  RESOLUTIONS,
  type DrawnLabel,
  type Resolution,
  type ResolutionName,
} from "#formats/label/drawing.ts";
import { writePdf } from "#formats/pdf/write-pdf.ts";
import { createZpl } from "#formats/zpl/write-zpl.ts";
import type { Db } from "#platform/db/connect.ts";
import { createLayout } from "#features/labels/layout/rules-layout.ts";
import { findProfile } from "#features/labels/layout/rules-profiles.ts";
import { readLabels, type LabelUpload, type NumberedCarton } from "#features/labels/ledger/store.ts";
import { LABELS_AT_ONCE } from "#features/labels/limits.ts";
import type { LabelRange } from "#features/labels/print/rules-ranges.ts";

export type ToPrint = { realmId: string; upload: LabelUpload; resolution: ResolutionName };

/** Draws the labels of an upload for a printer. */
export function createDrawer({ upload, resolution }: Omit<ToPrint, "realmId">) {
  const layout = createLayout(findProfile(upload.profile), RESOLUTIONS[resolution]);
  const draw = (carton: NumberedCarton): DrawnLabel => {
    const from = upload.shipFroms[carton.row.shipFrom] ?? upload.shipFroms[""];
    if (!from) throw new Error(`Upload ${upload.id} has no ship-from address.`);
    return layout.draw(carton, { from, prefix: carton.prefix });
  };
  return { draw };
}

/** Labels as a PDF, one a page, piece by piece: however many there are, few are in memory. */
export function renderPdf(db: Db, toPrint: ToPrint, ranges: readonly LabelRange[]): AsyncGenerator<Buffer> {
  const { draw } = createDrawer(toPrint);
  const pages = async function* () {
    for await (const carton of readCartons(db, toPrint, ranges))
      yield [{ ...draw(carton), leftDots: 0, topDots: 0 }];
  };
  const resolution: Resolution = RESOLUTIONS[toPrint.resolution];
  const sizes = { page: LABEL_SIZE, label: LABEL_SIZE };
  return writePdf({ title: toPrint.upload.fileName, resolution, ...sizes, pages: pages() });
}

/** The same for Zebra printers. */
export async function* renderZpl(
  db: Db,
  toPrint: ToPrint,
  ranges: readonly LabelRange[],
): AsyncGenerator<string> {
  const { draw } = createDrawer(toPrint);
  const frame = { resolution: RESOLUTIONS[toPrint.resolution], label: LABEL_SIZE };
  const write = createZpl(frame);
  for await (const carton of readCartons(db, toPrint, ranges)) {
    yield write(draw(carton));
  }
}

/** Labels of an upload in the order of ranges, few at once. */
export async function* readCartons(
  db: Db,
  { realmId, upload }: ToPrint,
  ranges: readonly LabelRange[],
): AsyncGenerator<NumberedCarton> {
  for (const { first, last } of ranges) {
    for (let from = first; from <= last; from += LABELS_AT_ONCE) {
      const limit = Math.min(LABELS_AT_ONCE, last - from + 1);
      yield* await readLabels(db, { realmId, id: upload.id }, { from, limit });
    }
  }
}
