import { RESOLUTIONS } from "#formats/label/drawing.ts";
import type { Ctx } from "#platform/ctx.ts";
import { notFound } from "#platform/errors.ts";
import { requireUpload } from "#features/labels/ledger/find-upload.ts";
import { countPrintsOf, readLabels, type UploadId } from "#features/labels/ledger/store.ts";
import type { LabelDrawing, Paper } from "#features/labels/print/contract.ts";
import { createDrawer } from "#features/labels/print/render-labels.ts";
import { toDrawing } from "#features/labels/print/rules-drawing.ts";
import { pageOf } from "#features/labels/print/rules-pages.ts";
import { requireLabelSettings } from "#features/labels/settings/read-label-settings.ts";

type Place = { seq: number; paper?: Paper | undefined };

/** One label as it is drawn. @throws AppError 404 when there is none at this place */
export async function showLabel(
  ctx: Pick<Ctx, "db">,
  id: UploadId,
  { seq, paper: chosen }: Place,
): Promise<LabelDrawing> {
  const upload = await requireUpload(ctx, id);
  const { resolution, paper: usual } = await requireLabelSettings(ctx, id.realmId);
  const paper = chosen ?? usual;
  const [carton] = await readLabels(ctx.db, id, { from: seq, limit: 1 });
  if (carton?.seq !== seq) throw notFound("There is no such label. Reload the page.");
  const { draw } = createDrawer({ upload, resolution, paper });
  return {
    ...toDrawing(draw(carton), RESOLUTIONS[resolution], pageOf(paper).label),
    sscc: carton.sscc,
    prints: await countPrintsOf(ctx.db, id, seq),
  };
}
