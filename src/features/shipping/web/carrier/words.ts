import type {
  CartonFault,
  CartonField,
  CartonSum,
  Surcharge,
} from "#features/shipping/web/shipment/rules-cartons.ts";
import type { OrderIntakeResult } from "#features/orders/contract.ts";
import { counted, formatCount, formatMoment, formatShortDay, formatTime } from "#web/kit/format.ts";

export const pounds = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** UI text for the carrier tab. */
export const carrierTabWords = {
  loading: "Loading open orders",
  none: "No data.",
  noneHint: (retailer: string) =>
    `Open orders of ${retailer} are listed here. Add a file of orders to begin.`,
  noMatch: "No order matches.",
  notFound: (text: string) => `No open order has the PO number or SKU ${text}.`,
  opened: (sku: string) => `Opened by SKU ${sku}.`,
  openedFirst: "Opened the first order with this PO number.",
  othersWith: (count: number) =>
    count === 1 ? "1 other open order has it:" : `${formatCount(count)} other open orders have it:`,
  account: (ending: string) => `UPS account ending ${ending} is connected.`,
  refusedAccount: (ending: string) => `UPS no longer accepts the connection to account ending ${ending}.`,
  changeAccount: "Change it in Settings.",
  settingsHref: "/settings/?section=tracking",
  search: "Search orders",
  searchFor: "Scan or type a PO, SKU, customer, or city",
  show: "Show",
  filters: { open: "Open", today: "Ship today", attention: "Need attention" },
  list: "Open orders",
  more: (count: number) => `Show ${formatCount(count)} more`,
  blocked: {
    not_connected: {
      title: "No UPS account is connected",
      text: "Connect one to make labels. You can add orders in the meantime.",
      link: "Connect a UPS account in Settings",
      reason: "Connect a UPS account first.",
    },
    reconnect_needed: {
      title: "UPS no longer accepts the connection to your account",
      text: "Reconnect it to make labels again.",
      link: "Reconnect in Settings",
      reason: "Reconnect your UPS account first.",
    },
    no_ship_from: {
      title: "Your ship-from address is missing",
      text: "UPS prints it on every label.",
      link: "Add it in the UPS label settings",
      reason: "Add your ship-from address first.",
    },
    not_offered: {
      title: "UPS labels need Tracking Service",
      text: "Add the service to connect a UPS account and make labels.",
      link: "Add it in Settings",
      reason: "Add Tracking Service first.",
    },
  },
  askAdmin: (admin: string | null) => (admin === null ? "Ask your company admin." : `Ask ${admin}.`),
  canceledTitle: (retailer: string) => `Cancelled ${retailer} Orders`,
} as const;

/** UI text for one order. */
export const orderWords = {
  name: (po: string, customer: string) => `PO # ${po} (${customer})`,
  forPo: (po: string) => `for PO # ${po}`,
  ofPo: (po: string) => `of PO # ${po}`,
  isNew: "New",
  select: (po: string) => `Select PO # ${po}`,
  lines: (count: number) => counted(count, "line"),
  shipBy: {
    today: () => "ship by today",
    later: (day: string) => `ship by ${formatShortDay(day)}`,
    late: (day: string) => `late, ship by ${formatShortDay(day)}`,
  },
  billed: (service: string, payer: string | null) => `${service}, billed to ${payer ?? "you"}`,
  cancel: "[ Cancel Order ]",
  cancelling: (po: string) => `Canceling PO # ${po}`,
  cancelled: (po: string) => `PO # ${po} is canceled.`,
  undo: "Undo",
  restored: (po: string) => `PO # ${po} is open again.`,
  elsewhere: "This order is no longer open. It was processed by another user or in another window.",
  carton: (place: number) => `Carton ${formatCount(place)}`,
  fields: { length: "Length", width: "Width", height: "Height", weight: "Weight" },
  units: { length: "in", width: "in", height: "in", weight: "lb" },
  faults: {
    missing: "enter a number",
    number: "enter a number, like 14.5",
    zero: "must be more than 0",
    decimals: "use at most two decimals",
    too_long: "over UPS's limit of 108 in",
    too_heavy: "over UPS's limit of 150 lb",
    girth: "length plus girth is over UPS's limit of 165 in",
  } satisfies Record<CartonFault, string>,
  fault: (field: CartonField, fault: CartonFault) =>
    `${orderWords.fields[field]}: ${orderWords.faults[fault]}.`,
  sum: ({ count }: CartonSum) => counted(count, "carton"),
  weight: ({ pounds: sum }: CartonSum) => `${pounds.format(sum)} lb`,
  surcharges: {
    large: "Large package: UPS adds a surcharge",
    handling: "Additional handling: UPS adds a surcharge",
    heavy_sticker: "Over 70 lb: needs a heavy-package sticker",
  } satisfies Record<Surcharge, string>,
  ofCarton: (place: number, text: string) => `Carton ${formatCount(place)}: ${text}`,
  add: "Add",
  addCarton: (po: string) => `a carton to PO # ${po}`,
  delete: "Delete",
  deleteCarton: (place: number, po: string) => `carton ${formatCount(place)} of PO # ${po}`,
  shipLess: "Ship less",
  packRest: "Pack the rest",
  copy: "Copy size to all",
  box: "Box",
  ownSize: "Own size",
  asLastTime: "Same box as last time for these items.",
  generate: "Generate",
  generating: (count: number) => `Generating ${counted(count, "label")}…`,
  ready: "Labels ready.",
  readyFor: (po: string) => `Labels ready for PO # ${po}`,
  print: (count: number) => `Print ${counted(count, "label")}`,
  printAll: (count: number) =>
    count === 1 ? "Print label and slip" : `Print ${formatCount(count)} labels and slips`,
  preview: "Preview",
  fileName: (po: string) => `${po}-labels.pdf`,
} as const;

/** UI text for the states of an order's labels, and for an order that changed. */
export const stateWords = {
  errorTitle: "Upload Error",
  startOver: "Start over",
  startedOver: (po: string) => `PO # ${po} can be changed again.`,
  correctAddress: "Correct address",
  openSettings: "UPS label settings",
  checkAccount: "Check the UPS account in Settings",
  checking: "UPS didn't answer.",
  checkingText: (nextAt: string | null) =>
    `We're checking whether it made the labels${nextAt === null ? "" : `, next at ${formatTime(nextAt)}`}. We won't buy a second label in the meantime.`,
  back: "Back",
  voidFirst: (retailer: string, at: string) => `${retailer} canceled this order on ${formatMoment(at)}`,
  voidFirstText:
    "Void its labels first: they're still valid at UPS. The order is canceled once they're voided. If it has shipped, confirm that on the Orders page.",
  openHistory: "Void its labels in History",
  addressSaved: (po: string) => `Address of PO # ${po} saved. Generate its labels again.`,
} as const;

/** UI text for the selection and for labels made for several orders. */
export const batchWords = {
  region: "Selected orders",
  selectAll: "Select all open orders",
  orders: (count: number) => counted(count, "order"),
  cartons: (count: number) => counted(count, "carton"),
  selected: "selected",
  most: (count: number) => `Select up to ${formatCount(count)} orders at a time. Deselect some.`,
  clear: "Clear",
  generate: (count: number) => `Generate ${counted(count, "label")}`,
  progress: (done: number, all: number) =>
    `Generating labels: ${formatCount(done)} of ${counted(all, "order")} done`,
  result: "Generated labels",
  ready: (made: number, all: number) =>
    made < all
      ? `${formatCount(made)} of ${formatCount(all)} ready`
      : made === 1
        ? "1 ready"
        : `All ${formatCount(made)} ready`,
  noneReady: "No labels were made",
  needAttention: (count: number) =>
    count === 1 ? "1 needs attention: " : `${formatCount(count)} need attention: `,
  download: "UPS labels",
  detail: "of all these orders",
  fileName: "ups-labels.pdf",
  dismiss: "Dismiss",
} as const;

const nameFiles = ([first = "", ...others]: readonly string[]) =>
  others.length === 0 ? first : `${formatCount(others.length + 1)} files`;

/** UI text for orders that are added by file. */
export const intakeWords = {
  add: "Add orders",
  picker: "File of orders",
  drop: "Drop to add these orders",
  adding: (filename: string) => `Adding orders of ${filename}`,
  title: (filenames: readonly string[]) => `Orders of ${nameFiles(filenames)}`,
  counts: {
    added: (count: number) => `${counted(count, "order")} added`,
    same: (count: number) => `${formatCount(count)} already here`,
    waiting: (count: number) => `${counted(count, "different order")} with a PO number already here`,
    cancelled: (count: number) => `${formatCount(count)} canceled by the retailer`,
    answered: (count: number) =>
      count === 1 ? "1 reply from the retailer" : `${formatCount(count)} replies from the retailer`,
    void_first: (count: number) => `${formatCount(count)} canceled by the retailer with labels to void first`,
    refused: (count: number) => `${formatCount(count)} rejected`,
  },
  nothing: "No orders in this file",
  po: (po: string) => `PO # ${po}`,
  added: "added",
  and: " and ",
  from: (filename: string) => `(${filename})`,
  more: (count: number) => `and ${formatCount(count)} more`,
  noPo: "Document without a PO number",
  dismiss: (filenames: readonly string[]) => `Dismiss the result of ${nameFiles(filenames)}`,
  fixTitle: (count: number, filename: string) =>
    count === 1
      ? `1 cell of ${filename} needs fixing`
      : `${counted(count, "cell")} of ${filename} need fixing`,
  rowName: (po: string, row: number) => (po === "" ? `Row ${row}` : `PO # ${po}, row ${row}`),
  cell: (cell: string) => cell && `Cell ${cell}`,
  addCorrected: "Add corrected orders",
  ofFile: (filename: string) => `of ${filename}`,
} as const;

export type Outcome = OrderIntakeResult["documents"][number]["result"];
export const OUTCOMES: readonly Outcome[] = [
  "added",
  "same",
  "waiting",
  "cancelled",
  "void_first",
  "answered",
  "refused",
];

/** "3 orders added", "1 already here": what happened to the documents of a file. */
export function countDocuments({ documents }: OrderIntakeResult): string[] {
  return OUTCOMES.flatMap((outcome) => {
    const count = documents.filter((document) => document.result === outcome).length;
    return count === 0 ? [] : [intakeWords.counts[outcome](count)];
  });
}

/** UI text for canceled orders. */
export const canceledWords = {
  table: "Canceled orders and when",
  heads: ["PO number", "Customer", "Canceled", "Actions"] as const,
  at: (iso: string) => `Cancelled at ${formatMoment(iso)}`,
  notified: (retailer: string) => `${retailer} was notified`,
  restore: "Restore",
} as const;
