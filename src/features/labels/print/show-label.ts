import { PATTERNS } from "#formats/gs1/code128.ts";
import { LABEL_SIZE, modulePoints, RESOLUTIONS, toPoints, type Drawing } from "#formats/label/drawing.ts";
import type { Ctx } from "#platform/ctx.ts";
import { notFound } from "#platform/errors.ts";
import { requireUpload } from "#features/labels/ledger/find-upload.ts";
import { countPrintsOf, readLabels, type UploadId } from "#features/labels/ledger/store.ts";
import type { LabelDrawing } from "#features/labels/print/contract.ts";
import { createDrawer } from "#features/labels/print/render-labels.ts";
import { requireLabelSettings } from "#features/labels/settings/read-label-settings.ts";

/** One label as it is drawn. @throws AppError 404 when there is none at this place */
export async function showLabel(ctx: Pick<Ctx, "db">, id: UploadId, seq: number): Promise<LabelDrawing> {
  const upload = await requireUpload(ctx, id);
  const { resolution } = await requireLabelSettings(ctx, id.realmId);
  const [carton] = await readLabels(ctx.db, id, { from: seq, limit: 1 });
  if (carton?.seq !== seq) throw notFound("There is no such label. Reload the page.");
  const { draw } = createDrawer({ upload, resolution });
  const { common, own } = draw(carton);
  const drawings = [common, own];
  const printer = RESOLUTIONS[resolution];
  return {
    ...LABEL_SIZE,
    sscc: carton.sscc,
    prints: await countPrintsOf(ctx.db, id, seq),
    texts: drawings.flatMap(({ texts }) => texts.map(({ isBold, ...text }) => ({ ...text, bold: isBold }))),
    rules: drawings.flatMap(({ rules }: Drawing) => rules.map((rule) => ({ ...rule }))),
    symbols: own.symbols.map(({ words, leftDots, y, height }) => ({
      x: toPoints(leftDots, printer),
      y,
      height,
      module: modulePoints(printer),
      bars: words.map((word) => PATTERNS[word]).join(""),
    })),
  };
}
