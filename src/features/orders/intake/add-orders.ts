import type { Audited } from "#features/audit/index.ts";
import type { OrderIntakeResult } from "#features/orders/contract.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import { noOrdersInFile } from "#features/orders/errors.ts";
import { acceptDocuments } from "#features/orders/intake/accept-documents.ts";
import { readOrderFile } from "#features/orders/intake/read-order-file.ts";
import type { ReadOrders } from "#features/orders/intake/read-orders.ts";
import type { IntakeChannel } from "#features/orders/types.ts";
import { MAX_CORRECTIONS } from "#features/sheets/contract.ts";
import { receiveFile } from "#features/sheets/index.ts";
import type { Correction } from "#formats/table/corrections.ts";
import type { IncomingFile } from "#platform/http/mount.ts";

/**
 * Takes a file of orders in. It is stored with its results whatever they are; nothing of a refused document is taken.
 * @param cells corrected cells of a sheet
 * @throws AppError 400 for a file without any document, and for a sheet whose columns or dates must be explained first
 */
export async function addOrders(
  ctx: OrdersCtx & Audited,
  {
    realmId,
    channel,
    by,
    cells,
  }: { realmId: string; channel: IntakeChannel; by: string; cells: readonly Correction[] },
  file: IncomingFile,
): Promise<OrderIntakeResult> {
  return receiveFile(ctx, file, async (received) => {
    const bytes = await received.read();
    const read = await readOrderFile(ctx, { realmId, fileName: file.name, bytes, cells });
    if (read.documents.length === 0)
      throw noOrdersInFile(
        "This file has no orders. Add an X12 850 or 860, CommerceHub XML, or a sheet of orders.",
      );
    const incoming = { realmId, channel, fileName: file.name, bytes, by };
    const { results: documents } = await acceptDocuments(ctx, incoming, read);
    return { filename: file.name, documents, cells: listWrongCells(read) };
  });
}

const listWrongCells = ({ documents }: ReadOrders): OrderIntakeResult["cells"] =>
  documents
    .flatMap(({ document }) =>
      document.kind === "refused"
        ? (document.cells ?? []).map((cell) => ({ ...cell, po_number: document.poNumber }))
        : [],
    )
    .slice(0, MAX_CORRECTIONS);
