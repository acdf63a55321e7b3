import { LABEL_SIZE, RESOLUTIONS, type ResolutionName } from "#formats/label/drawing.ts";
import { writePdf, type PlacedLabel } from "#formats/pdf/write-pdf.ts";
import type { Db } from "#platform/db/connect.ts";
import { createLayout, type Layout } from "#features/labels/layout/rules-layout.ts";
import { findProfile } from "#features/labels/layout/rules-profiles.ts";
import { readLabels, type LabelUpload } from "#features/labels/ledger/store.ts";
import { LABELS_AT_ONCE } from "#features/labels/limits.ts";

/** Labels of an upload to print, first and last included. */
export type LabelRange = { first: number; last: number };

type ToPrint = { upload: LabelUpload; resolution: ResolutionName; ranges: readonly LabelRange[] };

/** Labels as a PDF, one a page, piece by piece: however many there are, few are in memory. */
export function printLabels(
  db: Db,
  realmId: string,
  { upload, resolution, ranges }: ToPrint,
): AsyncGenerator<Buffer> {
  const layout = createLayout(findProfile(upload.profile), RESOLUTIONS[resolution]);
  return writePdf({
    title: upload.fileName,
    resolution: RESOLUTIONS[resolution],
    page: LABEL_SIZE,
    label: LABEL_SIZE,
    commons: layout.commons,
    pages: pagesOf(db, { realmId, upload, layout, ranges }),
  });
}

type Pages = { realmId: string; upload: LabelUpload; layout: Layout; ranges: readonly LabelRange[] };

async function* pagesOf(
  db: Db,
  { realmId, upload, layout, ranges }: Pages,
): AsyncGenerator<readonly PlacedLabel[]> {
  for (const { first, last } of ranges) {
    for (let from = first; from <= last; from += LABELS_AT_ONCE) {
      const limit = Math.min(LABELS_AT_ONCE, last - from + 1);
      for (const carton of await readLabels(db, { realmId, id: upload.id }, { from, limit })) {
        const shipFrom = upload.shipFroms[carton.row.shipFrom] ?? upload.shipFroms[""];
        if (!shipFrom) throw new Error(`Upload ${upload.id} has no ship-from address.`);
        yield [
          { ...layout.draw(carton, { from: shipFrom, prefix: carton.prefix }), leftDots: 0, topDots: 0 },
        ];
      }
    }
  }
}
