import { endpoint } from "#contract/endpoint.ts";
import { filledText, lineText } from "#contract/text.ts";
import { ordersAccess as access, shipToView, waitingView } from "#features/orders/contract.ts";
import { noticeView } from "#features/orders/notices-out/contract.ts";
import { cancels, carton, MAX_CARTONS, packedCarton } from "#features/shipping/packing/contract.ts";
import { PACKAGE_STATES } from "#features/packages/contract.ts";
import * as z from "zod";

export * from "#features/shipping/packing/contract.ts";

export const PDF = "application/pdf";

export const MAX_BATCH = 100;

/** A shipment that UPS has under the order's PO number, and that may be the order's. */
const stranger = z.object({
  /** UPS's number of it. */
  number: z.string(),
  /** The consignee as its label prints it; empty if UPS doesn't give its label. */
  ship_to: z.array(z.string()),
  /** "Portland, OR 97209"; empty if unknown. */
  place: z.string(),
  cartons: z.int().nullable(),
  /** Weight of each carton that UPS's tracking knows, in pounds. */
  weights: z.array(z.string()),
  service: z.string(),
  made_at: z.iso.datetime().nullable(),
  /** In what it differs from the order. */
  differs: z.array(z.enum(["consignee", "packages", "service", "weights", "time"])),
});
export type Stranger = z.output<typeof stranger>;

/** A purchase of labels for an order: one shipment at UPS, one package a carton. */
const orderLabels = z.object({
  /** Id of the purchase. */
  id: z.uuid(),
  /**
   * `making`: UPS is asked. `checking`: UPS didn't answer, and whether it made the labels is looked up at `next_check_at`.
   * `asked`: a user must say, with `answerShipment`. `failed`: `error` says why, nothing was bought. `made`: labels are ready.
   */
  state: z.enum(["making", "checking", "asked", "failed", "made"]),
  cartons: z.array(packedCarton),
  /** A sentence for "Upload Error"; empty without a failure. */
  error: z.string(),
  /** Where a failure is corrected. */
  correct: z.enum(["address", "cartons", "account", "settings", "order"]).nullable(),
  /** UPS's address in place of one that it doesn't know. */
  meant: z
    .object({ lines: z.array(z.string()), city: z.string(), state: z.string(), zip: z.string() })
    .nullable(),
  next_check_at: z.iso.datetime().nullable(),
  /** UPS's number of the shipment; empty while there is none. */
  shipment: z.string(),
  label_file: z.string().nullable(),
  /** The shipment at UPS that a user is asked about; null if `asked` is about an answer that UPS never gave. */
  theirs: stranger.nullable(),
});
export type OrderLabels = z.output<typeof orderLabels>;

const openOrder = z.object({
  po_number: z.string(),
  retailer: z.string(),
  customer_name: z.string(),
  packing_slip_file: z.string().nullable(),
  id: z.uuid(),
  /** "Portland, OR 97209" */
  place: z.string(),
  lines: z.array(
    z.object({
      line: z.string(),
      sku: z.string(),
      description: z.string(),
      /** Ordered, and what is left of it to ship. */
      quantity: z.string(),
      open: z.string(),
      unit: z.string(),
    }),
  ),
  /** Number that the next shipment has among the order's: 1 for the first. */
  next_shipment: z.int(),
  /** Cartons of the latest labels for the same items in the same quantities; null if there were none. */
  last_cartons: z.array(carton).nullable(),
  /** YYYY-MM-DD; null when the order names none. */
  ship_by: z.string().nullable(),
  /** "UPS Ground", "UPS Ground, signature required" */
  service: z.string(),
  /** The retailer's code of a service that isn't known: a user chooses one of `services`. Null for a known one. */
  unknown_service: z.string().nullable(),
  /** Who pays UPS: the retailer's name; null for the company's own account. */
  billed_to: z.string().nullable(),
  ship_to: shipToView,
  /** The latest purchase of labels that is not voided; null for none. */
  labels: orderLabels.nullable(),
  /** A different order that came in under this number, and waits for a user. */
  waiting: waitingView.nullable(),
  /** The retailer canceled it while it has labels, which must be voided first. */
  cancellation_asked_at: z.iso.datetime().nullable(),
});
export type OpenOrder = z.output<typeof openOrder>;

const canceledOrder = z.object({
  po_number: z.string(),
  retailer: z.string(),
  customer_name: z.string(),
  cancelled_at: z.iso.datetime(),
  packing_slip_file: z.string().nullable(),
  id: z.uuid(),
  cancelled_by: z.string(),
  /** False once the retailer was notified. */
  can_restore: z.boolean(),
  /** The notice of it to the retailer; null for a retailer that takes none. */
  notice: noticeView.nullable(),
});
export type CanceledOrder = z.output<typeof canceledOrder>;

const openOrders = z.object({
  open: z.array(openOrder),
  cancelled: z.array(canceledOrder),
  /**
   * Why no labels can be made now: no UPS account, one to reconnect, no ship-from address, or neither an account nor
   * the service that lets one be connected; null when they can.
   */
  blocked: z.enum(["not_connected", "reconnect_needed", "no_ship_from", "not_offered"]).nullable(),
  /** Last characters of the account, "2A11"; empty without one. */
  account_ending: z.string(),
  /** UPS's services, for orders that name one that isn't known. */
  services: z.array(z.object({ code: z.string(), name: z.string() })),
  /** Sizes that the company uses often. */
  presets: z.array(z.object({ name: z.string(), carton })),
  /** Notices for the retailer that are due, to be downloaded where no folder takes them. */
  due_notices: z.array(z.uuid()),
  /** Due notices in CommerceHub's XML, which go into a separate file. */
  due_xml_notices: z.array(z.uuid()),
});
export type OpenOrders = z.output<typeof openOrders>;

export const listOpenOrders = endpoint({
  access: { ...access, keys: ["read"] },
  method: "GET",
  path: "/api/v1/labels/open-orders",
  summary: "Lists the retailer's open and canceled orders, with their labels",
  response: openOrders,
});

export const cancelOrder = endpoint({
  access,
  method: "DELETE",
  path: "/api/v1/labels/open-orders",
  summary: "Cancels an open order without labels",
  query: z.object({
    customer: lineText().max(60),
    po_number: lineText().max(60),
    /** Which order, if several have the number. */
    order_id: z.uuid().optional(),
    /** One of the retailer's reasons; the company's usual one by default. */
    reason: lineText().max(60).optional(),
  }),
  response: z.object({}),
});

const cartons = z.array(packedCarton).min(1).max(MAX_CARTONS);
/** UPS's code of the service, for an order whose `unknown_service` isn't null. */
const service = lineText()
  .regex(/^\d{2}$/, "must be a UPS service like 03")
  .optional();

export const createShipment = endpoint({
  access,
  method: "POST",
  path: "/api/v1/labels/ups-label",
  summary: "Makes the UPS labels of an order; if it has labels, or they are being made, returns those",
  body: z.object({
    po_number: lineText().min(1).max(60),
    /** Which order, if several have the number: those of other retailers, or of other stores of one. */
    order_id: z.uuid().optional(),
    cartons,
    /** Chosen by the page: the same key again never buys labels again. With pieces left, another key buys labels for them. */
    key: z.uuid().optional(),
    /** `next_shipment` of the order as the caller knows it: if another one was made meanwhile, it is refused. */
    shipment_number: z.int().min(1).optional(),
    service,
    cancels,
  }),
  response: { mediaType: PDF },
  /** Reply when UPS takes longer than 45 seconds, or did not answer: `listOpenOrders` shows the state. */
  accepted: z.object({ id: z.uuid() }),
});

const batchOrder = z.strictObject({
  order_id: z.uuid(),
  cartons,
  key: z.uuid(),
  shipment_number: z.int().min(1).optional(),
  service,
  cancels,
});

export const createShipments = endpoint({
  access,
  method: "POST",
  path: "/api/v1/labels/ups-label/batch",
  summary: "Makes the UPS labels of several orders, each with its own outcome in the list of open orders",
  body: z.strictObject({ orders: z.array(batchOrder).min(1).max(MAX_BATCH) }),
  /** In the order asked; `problem` says why nothing was started for an order. */
  response: z.object({
    orders: z.array(z.object({ order_id: z.uuid(), id: z.uuid().nullable(), problem: z.string() })),
  }),
});

export const printShipments = endpoint({
  access,
  cost: "heavy",
  method: "POST",
  path: "/api/v1/labels/ups-label/print",
  summary: "Downloads the labels of several purchases in one file, in the order given; never a new charge",
  body: z.strictObject({
    ids: z.array(z.uuid()).min(1).max(MAX_BATCH),
    /** Adds the packing slips of each order after its labels; not for labels in ZPL. */
    slips: z.boolean().default(false),
  }),
  response: { mediaType: PDF },
});

export const answerShipment = endpoint({
  access,
  method: "POST",
  path: "/api/v1/labels/ups-label/answer",
  summary:
    "Answers the question about labels that UPS never confirmed: their tracking number, whether to make them again, or what the shipment with this PO number is",
  body: z.strictObject({
    id: z.uuid(),
    /**
     * `tracking_number`: the labels are those of `tracking_number`. `create_again`: there are none. `not_ours`: the shipment
     * in `theirs` is something else, and labels are made. `void_theirs`: it is a mistake; it is voided, then labels are made.
     */
    answer: z.enum(["create_again", "tracking_number", "not_ours", "void_theirs"]),
    tracking_number: lineText().max(40).optional(),
  }),
  response: z.object({}),
});

const madeLabels = z.object({
  po_number: z.string(),
  customer_name: z.string(),
  packing_slip_file: z.string().nullable(),
  label_file: z.string().nullable(),
  shipment: z.string(),
  ship_date: z.iso.datetime(),
  /** When the order was packed, and its place among those that were packed at once. */
  packed_at: z.iso.datetime(),
  packed_place: z.int(),
  id: z.uuid(),
  order_id: z.uuid(),
  carton_count: z.int(),
  tracking_numbers: z.array(z.string()),
  /** "$11.84"; empty when UPS names no charge, as for the retailer's account. */
  cost: z.string(),
  /** The retailer's name; null for the company's own account. */
  billed_to: z.string().nullable(),
  state: z.enum(["live", "partly_voided", "voided"]),
  /** When the last of them was voided, and by whom; or at UPS's own page, not here. */
  voided_at: z.iso.datetime().nullable(),
  voided_by: z.string(),
  is_voided_at_ups: z.boolean(),
  /** Number of the shipment that the order has in place of voided labels; null while it has none. */
  new_shipment: z.string().nullable(),
  /** The order waits for labels. */
  is_order_open: z.boolean(),
  /** UPS was asked to void them, and its answer was lost. */
  is_voiding: z.boolean(),
  /** State of the package that most needs attention; `delivered` only when all are. Null when no package is left. */
  package_state: z.enum(PACKAGE_STATES).nullable(),
  /** The first scan; null until UPS has a package. */
  scanned_at: z.iso.datetime().nullable(),
  can_void: z.boolean(),
  /** The retailer canceled the order while it had these labels, which must be voided. */
  cancellation_asked_at: z.iso.datetime().nullable(),
  /** A void opens the order again: its retailer hasn't canceled it, whether a user confirmed since that it shipped or not. */
  reopens: z.boolean(),
  /** How often the labels were printed. */
  prints: z.int(),
  /** The retailer's ship notice was sent: a void must be explained to the retailer. */
  is_notified: z.boolean(),
  /** The ship notice; null for a retailer that takes none. */
  notice: noticeView.nullable(),
});
export type MadeLabels = z.output<typeof madeLabels>;

const history = z.object({
  /** Newest first. */
  labels: z.array(madeLabels),
  /** Pass it as `before` for older ones; null at the end. */
  next: z.string().nullable(),
  counts: z.object({ all: z.int(), unscanned: z.int(), voided: z.int() }),
});
export type LabelHistory = z.output<typeof history>;

export const listShipments = endpoint({
  access: { ...access, keys: ["read"] },
  method: "GET",
  path: "/api/v1/labels/ups-label",
  summary: "Lists the UPS labels that were made, newest first",
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    before: lineText().max(60).optional(),
    /** Part of a PO number, customer, or shipment number. */
    q: lineText().max(100).optional(),
    show: z.enum(["all", "unscanned", "voided"]).default("all"),
  }),
  response: history,
});

export const voidShipment = endpoint({
  access,
  method: "DELETE",
  path: "/api/v1/labels/ups-label",
  summary: "Voids the labels of an order at UPS; voiding again is harmless. The order is open again.",
  query: z.object({
    po_number: lineText().max(60),
    shipment: lineText().max(40),
    /** One package of the shipment; all when absent. */
    tracking_number: lineText().max(40).optional(),
  }),
  /** Numbers that UPS did not void; empty when all were. */
  response: z.object({ kept: z.array(z.string()) }),
});

const fileParams = z.object({ filename: lineText().min(1).max(200) });

export const downloadPackingSlip = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/packing-slip/:filename",
  summary: "Downloads the packing slip of an order",
  params: fileParams,
  /** `id`: of the purchase of labels whose cartons it lists; those of the latest labels that aren't voided by default. */
  query: z.object({ id: z.uuid().optional() }),
  response: { mediaType: PDF },
});

export const downloadLabelFile = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/ups-label/:filename",
  summary: "Downloads stored UPS labels, one page per carton; never a new charge",
  params: fileParams,
  response: { mediaType: PDF },
});

const shipFrom = z.strictObject({
  name: filledText(35),
  phone: lineText().trim().max(20),
  line: filledText(35),
  city: filledText(30),
  state: lineText().trim().length(2),
  zip: lineText()
    .trim()
    .regex(/^\d{5}(-?\d{4})?$/, "must be a ZIP code"),
});

const carrierSettings = z.strictObject({
  /** The shipper on labels; null until the admin enters it. */
  ship_from: shipFrom.nullable(),
  /** Pictures for PDF, or ZPL for thermal printers. */
  label_format: z.enum(["pdf", "zpl"]),
  /** Paper of packing slips; `label` is 4 by 6 inches. */
  slip_paper: z.enum(["letter", "label"]),
  /** Who pays UPS for the retailer's orders. */
  billing: z.enum(["third_party", "shipper"]),
  /** The retailer's UPS account and the ZIP code of its pickup address, for third-party billing. */
  billing_account: lineText().trim().max(6),
  billing_zip: lineText().trim().max(10),
  /** The company's number at the retailer. */
  vendor_number: lineText().trim().max(20),
  cancel_reason: lineText().max(60),
  presets: z.array(z.strictObject({ name: filledText(30), carton })).max(12),
});
export type CarrierSettings = z.output<typeof carrierSettings>;

export const readCarrierSettings = endpoint({
  access,
  method: "GET",
  path: "/api/v1/labels/carrier-settings",
  summary: "Returns the settings of UPS labels: ship-from address, payer, label format, carton sizes",
  response: carrierSettings.extend({
    cancel_reasons: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
});

export const changeCarrierSettings = endpoint({
  access: { ...access, admin: true },
  method: "PUT",
  path: "/api/v1/labels/carrier-settings",
  summary: "Changes the settings of UPS labels",
  body: carrierSettings,
  response: z.object({}),
});
