import type { OrdersCtx } from "#features/orders/ctx.ts";
import type { FileInput, ReadOrders } from "#features/orders/intake/read-orders.ts";
import { orderSheet } from "#features/orders/sheet.ts";
import { findColumnChoices, findDateOrder, readForRequest } from "#features/sheets/index.ts";
import type { Correction } from "#formats/table/corrections.ts";

const READING = new URL("./read-orders.ts", import.meta.url);

/**
 * Reads a file of orders in a thread, with the columns and dates that the company has explained.
 * @param cells corrected cells of a sheet
 * @throws AppError 400 for a sheet whose columns or dates must be explained first; 503 while too many files are read
 */
export async function readOrderFile(
  ctx: OrdersCtx,
  {
    realmId,
    fileName,
    bytes,
    cells,
  }: { realmId: string; fileName: string; bytes: Uint8Array; cells: readonly Correction[] },
): Promise<ReadOrders> {
  const kind = { realmId, kind: orderSheet.kind };
  const input: FileInput = {
    now: ctx.clock.now().getTime(),
    partners: ctx.partners,
    fileName,
    chosen: await findColumnChoices(ctx.db, kind),
    dateOrder: await findDateOrder(ctx.db, kind),
    cells,
  };
  return readForRequest<ReadOrders>(orderSheet, READING, { bytes, input, owner: realmId });
}
