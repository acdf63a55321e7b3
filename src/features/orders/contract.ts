import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import { correctedCells, MAX_FILE_BYTES, sheetEndpoints, wrongCell } from "#features/sheets/contract.ts";
import * as z from "zod";

/** The retail customer of the specification, as calls name it. */
export const CUSTOMER = "retailer";

/** Members with the group Labels. */
export const ordersAccess = { kind: "member", group: "brainchild" } as const;

const part = (max: number) => lineText().trim().max(max);

/** A consignee as a user corrects it. Lengths are those that UPS accepts. */
export const shipTo = z.strictObject({
  name: part(35).min(1),
  attention: part(35).default(""),
  lines: z.array(part(35).min(1)).min(1).max(3),
  city: part(30).min(1),
  state: part(5),
  zip: part(10),
  /** ISO code of two letters. */
  country: part(2).default("US"),
  phone: part(20).default(""),
});

/** A consignee as it came in, which may be too long for UPS. */
export const shipToView = z.object({
  name: z.string(),
  attention: z.string(),
  lines: z.array(z.string()),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  country: z.string(),
  phone: z.string(),
});

/** Result of one document of a file, by the PO number it names. */
export const orderResult = z.object({
  po_number: z.string(),
  /**
   * `added`: a new open order. `same`: already here, nothing changed. `waiting`: it differs from the order here under this
   * number and waits for a user. `cancelled`: the retailer's cancellation, done. `void_first`: the retailer's cancellation of
   * an order that has labels. `answered`: the retailer's 997 about a notice; `problems` say why it rejects the notice.
   * `refused`: nothing of it was taken; `problems` say where and why.
   */
  result: z.enum(["added", "same", "waiting", "cancelled", "void_first", "answered", "refused"]),
  problems: z.array(z.string()),
});
export type OrderDocumentResult = z.output<typeof orderResult>;

/** Results of a file, in its order; documents without a PO number have an empty one. */
export const intakeResult = z.object({
  filename: z.string(),
  documents: z.array(orderResult),
  /** Wrong cells of the refused orders of a sheet, the first 1,000; the file can be sent again with the right ones. */
  cells: z.array(wrongCell.extend({ po_number: z.string() })),
});
export type OrderIntakeResult = z.output<typeof intakeResult>;

export const addOrders = endpoint({
  access: ordersAccess,
  method: "POST",
  path: "/api/v1/labels/open-orders",
  summary: "Adds the orders in a file: X12 850 or 860, CommerceHub XML, or an Excel or CSV file of orders",
  file: { field: "file", maxBytes: MAX_FILE_BYTES },
  /** Corrected cells of a sheet. */
  body: z.object({ cells: correctedCells.default([]) }),
  response: intakeResult,
});

const orderId = z.object({ order_id: z.uuid() });

export const restoreOrder = endpoint({
  access: ordersAccess,
  method: "POST",
  path: "/api/v1/labels/open-orders/restore",
  summary: "Reopens a canceled order, as long as the retailer hasn't been notified of the cancellation",
  body: orderId.strict(),
  response: z.object({}),
});

export const correctAddress = endpoint({
  access: ordersAccess,
  method: "POST",
  path: "/api/v1/labels/open-orders/address",
  summary: "Corrects the ship-to address of an open order",
  body: orderId.extend({ ship_to: shipTo }).strict(),
  response: z.object({}),
});

/** A different order that came in under the number of a stored one, or the stored one after the retailer's change. */
export const waitingView = z.object({
  received_at: z.iso.datetime(),
  /** "Quantity of line 2", "4", "6" */
  differences: z.array(z.object({ what: z.string(), now: z.string(), new: z.string() })),
});
export type WaitingView = z.output<typeof waitingView>;

export const decideOrder = endpoint({
  access: ordersAccess,
  method: "POST",
  path: "/api/v1/labels/open-orders/decide",
  summary:
    "Chooses between an order and a different one that came in under the same PO number, or confirms that one shipped that its retailer canceled",
  body: orderId
    .extend({
      choice: z.enum(["use_new", "keep", "shipped"]),
      /** When the different one came in that the user saw: a choice about one that another replaced since is refused. */
      received_at: z.iso.datetime().optional(),
    })
    .strict(),
  response: z.object({}),
});

export const { readColumns, listColumnChoices, chooseColumns, readDateOrder, chooseDateOrder } =
  sheetEndpoints({
    path: "/api/v1/labels/orders",
    access: ordersAccess,
  });
