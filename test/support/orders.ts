import { decideOrder } from "#features/orders/contract.ts";
import { readThread, type ThreadView } from "#features/order-invoices/contract.ts";
import type { Browser, Reply } from "./browser.ts";

/** An order as a company's program sends it. */
export const programOrder = (number: number, more: object = {}) => ({
  po_number: `9000${number}`,
  customer_order: `W${number}`,
  po_date: "2026-11-26",
  ship_to: { name: "Jane Doe", lines: ["12 Main Street"], city: "Reno", state: "NV", zip: "89506" },
  service_code: "UPSN_CG",
  lines: [{ line: "1", buyer_sku: "1001", description: "Claw hammer", qty: 2, uom: "EA", unit_cost: "9.50" }],
  ...more,
});

/** Chooses between an order and the different one that waits now. */
export async function decide(
  browser: Browser,
  order_id: string,
  choice: "use_new" | "keep" | "shipped",
): Promise<Reply> {
  const read = await browser.call(readThread, { query: { order_id } });
  const received_at = (read.json() as Partial<ThreadView>).waiting?.received_at;
  return browser.call(decideOrder, { json: { order_id, choice, received_at } });
}
