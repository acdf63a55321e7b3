import { endpoint } from "#contract/endpoint.ts";
import { filledText, lineText, multilineText } from "#contract/text.ts";
import { CUSTOMER, orderResult } from "#features/orders/contract.ts";
import * as z from "zod";

/** Maximum number of orders in one call. */
export const MAX_ORDERS = 500;
/** Room for 500 orders of 30 lines. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const text = (max = 80) => lineText().trim().max(max).default("");
const message = () => multilineText().trim().max(1_000).default("");
const day = z.iso.date().nullable().default(null);
/** A number, or its decimal text. */
const decimal = z.union([
  z.number().nonnegative(),
  z.string().regex(/^\d{1,12}(\.\d{1,6})?$/, "must be a number"),
]);

const shipTo = z.strictObject({
  name: filledText(80),
  attention: text(),
  lines: z.array(filledText(80)).min(1).max(3),
  city: filledText(60),
  state: text(10),
  zip: text(12),
  /** ISO code of two letters. */
  country: lineText().trim().length(2).toUpperCase().default("US"),
  phone: text(30),
});

const line = z.strictObject({
  line: filledText(20),
  buyer_sku: text(),
  vendor_sku: text(),
  upc: text(20),
  description: text(500),
  qty: decimal,
  uom: text(5),
  unit_cost: decimal.default(""),
});

/** An order sent by a company's own program, with the same data as in a file. */
export const partnerOrder = z.strictObject({
  /** The retailer. */
  partner: filledText(60).default(CUSTOMER),
  po_number: filledText(60),
  /** The consumer's order number at the retailer. */
  customer_order: text(),
  po_date: day,
  ship_by: day,
  cancel_after: day,
  ship_to: shipTo,
  /** The retailer's code for the service, such as UPSN_CG. */
  service_code: text(40),
  references: z
    .array(z.strictObject({ qualifier: filledText(20), value: text() }))
    .max(50)
    .default([]),
  gift_message: message(),
  vendor_message: message(),
  lines: z.array(line).min(1).max(1_000),
});
export type PartnerOrder = z.output<typeof partnerOrder>;

const { $schema: _dialect, ...described } = z.toJSONSchema(partnerOrder, { io: "input" });
/** Orders are validated individually, so that an invalid one doesn't reject the whole call. */
const anyOrder = z.unknown().meta({ ...described });

export const takeOrders = endpoint({
  access: { kind: "key", group: "brainchild", keys: ["orders"] },
  cost: "heavy",
  method: "POST",
  path: "/api/v1/partner/orders",
  summary: `Adds one order or a list of up to ${MAX_ORDERS}; adding the same order again changes nothing`,
  maxBodyBytes: MAX_BODY_BYTES,
  body: z.union([anyOrder, z.array(anyOrder).max(MAX_ORDERS)]),
  /** One result for each order, in the order of the call. */
  response: z.object({ orders: z.array(orderResult) }),
});
