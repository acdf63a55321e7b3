import { readX12 } from "#features/orders/intake/read-x12.ts";
import { PARTNERS, partnerFrom } from "#features/orders/partners/partners.ts";
import type { OrderDocument } from "#features/orders/types.ts";

/** Documents of a file with their retailer, and the acknowledgments that answer it. */
export type ReadOrders = {
  documents: readonly { partner: string; document: OrderDocument }[];
  reply: Uint8Array | null;
};

/** Reads a file of orders by its content, whatever its name. Runs in a worker thread. */
export function run(bytes: Uint8Array, { now }: { now: number }): ReadOrders {
  const read = readX12(bytes, (sender) => partnerFrom(PARTNERS, sender), new Date(now));
  const replies = read.flatMap(({ reply }) => reply ?? []);
  return {
    documents: read.flatMap(({ sender, documents }) =>
      documents.map((document) => ({ partner: partnerFrom(PARTNERS, sender).id, document })),
    ),
    reply: replies.length > 0 ? Buffer.concat(replies) : null,
  };
}
