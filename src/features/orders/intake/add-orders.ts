import type { Audited } from "#features/audit/index.ts";
import type { OrderIntakeResult } from "#features/orders/contract.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import { noOrdersInFile } from "#features/orders/errors.ts";
import { acceptDocuments } from "#features/orders/intake/accept-documents.ts";
import type { ReadOrders } from "#features/orders/intake/read-orders.ts";
import type { Door } from "#features/orders/types.ts";
import { receiveFile } from "#features/sheets/index.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import { runInThread } from "#platform/threads/run-in-thread.ts";

const READING = new URL("./read-orders.ts", import.meta.url);

/**
 * Takes a file of orders in. It is stored with its results whatever they are; nothing of a refused document is taken.
 * @throws AppError 400 for a file without any document
 */
export async function addOrders(
  ctx: OrdersCtx & Audited,
  { realmId, door, by }: { realmId: string; door: Door; by: string },
  file: IncomingFile,
): Promise<OrderIntakeResult> {
  return receiveFile(ctx, file, async (received) => {
    const bytes = await received.read();
    const task = { bytes, input: { now: ctx.clock.now().getTime() }, owner: realmId };
    const read = await runInThread<ReadOrders>(READING, task);
    if (read.documents.length === 0)
      throw noOrdersInFile(
        "This file has no orders. It may be an X12 850 or 860, CommerceHub XML, or a sheet of orders.",
      );
    const documents = await acceptDocuments(ctx, { realmId, door, fileName: file.name, bytes, by }, read);
    return { filename: file.name, documents };
  });
}
