import type { Mark, MatchKind, OrderInvoice, ThreadFilter } from "#features/order-invoices/contract.ts";
import { counted } from "#web/kit/format.ts";
import { joinList } from "#web/kit/join-list.ts";

/** The same as the server's, with a short name for the head of a column. */
const STEPS = ["Ordered", "Packed", "Labels", "Ship notice", "Invoice", "Accepted", "Delivered"] as const;

const MARKS: Readonly<Record<Mark, string>> = {
  done: "done",
  next: "next",
  waiting: "waiting",
  differs: "differs",
  refused: "rejected",
};

const KINDS: Readonly<Record<MatchKind, string>> = {
  customer: "Customer",
  item: "SKU",
  term: "Terms",
  class: "Class",
  department: "Location",
};

const WAITS: Readonly<Record<OrderInvoice["waits"][number], string>> = {
  voided: "First void the earlier invoice, whose labels were voided.",
  credit: "First credit the earlier invoice, whose labels were voided.",
  nothing: "Everything that has shipped is billed.",
  customer: "Match the retailer to a customer first.",
  sku: "Match each SKU to an item first.",
  terms: "Match the order's terms to terms in QuickBooks first.",
  no_price:
    "A line of the order has no price for one unit. Ask the retailer for it, or create this invoice in QuickBooks.",
  charge:
    "The order names an allowance or charge that isn't billed here. Create this invoice in QuickBooks, and enter it in the retailer's portal.",
  currency:
    "The order's currency isn't that of its customer in QuickBooks. Create this invoice there for a customer of that currency, and enter it in the retailer's portal.",
  price: "Confirm the order's price first.",
  books: "First tell us whether QuickBooks already has this invoice.",
  canceled: "First void the labels, or confirm that the order shipped.",
  order_waits: "First choose whether the order changes.",
  not_left: "The invoice can be posted once the ship notice is sent.",
};

const FILTERS: Readonly<Record<ThreadFilter, string>> = {
  all: "All",
  ready: "Ready to bill",
  differs: "Differences",
  retailer: "Waiting for the retailer",
  done: "Done",
};

/** UI text for the Orders page. */
export const threadWords = {
  title: (product: string) => `${product} Orders`,
  documentTitle: "Orders",
  steps: STEPS,
  marks: MARKS,
  filters: FILTERS,
  arrive: (retailers: readonly string[]) => `Orders from ${joinList(retailers)}.`,
  last: (at: string) => `The last one came in ${at}.`,
  folder: { name: "Order folder", to: "/settings/developers/?section=folder" },
  figures: "Orders by state",
  loading: "Loading orders",
  list: "Orders",
  show: "Show",
  search: "Search orders",
  searchFor: "PO # or customer",
  columns: { order: "PO # and customer", stands: "Where it stands", amount: "Amount" },
  selectAll: "Select all orders that are ready to bill",
  select: (po: string) => `Select PO # ${po}`,
  po: (po: string) => `PO # ${po}`,
  more: (count: number) => `Show ${count} more`,
  noMatch: "No order matches.",
  none: "No orders yet",
  noneText: "Orders appear here when they are added under Labels or arrive in the order folder.",
  post: (orders: number, amount: string) => `Post ${counted(orders, "invoice")} · ${amount}`,
  nothingSelected: "Post invoices",
  postHint: "Posts to QuickBooks, then sends each 810.",
  posting: (invoices: number) => `Posting ${counted(invoices, "invoice")}`,
  leftOut: "Not posted",
  auto: "Post invoices automatically once their orders have shipped. Orders with differences still wait.",
  questions: {
    title: "Match these names first",
    kinds: KINDS,
    quoted: (text: string) => `"${text}"`,
    label: (kind: MatchKind, text: string) => `${KINDS[kind]} "${text}" in QuickBooks`,
    search: (kind: MatchKind) =>
      kind === "customer" ? "Search customers" : kind === "term" ? "Search terms" : "Search items",
    noHit: "No match in QuickBooks.",
    effect: (orders: number, amount: string) => `${counted(orders, "order")} · ${amount}`,
    use: "Use",
    forName: (text: string) => `for ${text}`,
    chosen: (text: string, name: string) => `${text} is ${name} in QuickBooks.`,
  },
  order: {
    heading: (po: string, customer: string) => `PO # ${po} (${customer})`,
    label: "Order",
    loading: "Loading the order",
    timeline: "Timeline",
    slip: "Packing Slip",
    forPo: (po: string) => `for PO # ${po}`,
    slipName: (po: string) => `${po}-packing-slip.pdf`,
    pack: "dispute pack",
    forInvoice: (number: string) => `for invoice ${number}`,
    packName: (number: string) => `dispute-pack-${number}.pdf`,
    table: "Ordered, shipped, billed",
    nameTable: (at: number, of: number) => `Ordered, shipped, billed: shipment ${at} of ${of}`,
    lines: (title: string) => `${title}, line by line`,
    canceled: "The retailer canceled this order after its labels were made",
    canceledText:
      "Until you decide, no invoice of it is posted or sent. Void its labels in the History of Labels, or confirm that it shipped.",
    shipped: "It shipped",
    shippedDetail: (po: string) => `PO # ${po}`,
    notShipped: "Nothing has shipped yet, so there is nothing to bill.",
    groups: { ordered: "Ordered", shipped: "Shipped", toBill: "To bill", billed: "Billed" },
    heads: { item: "Item", quantity: "Qty", price: "Price", amount: "Amount" },
    freight: "Freight",
    allowance: "Allowance",
    total: "Total",
    part: (shipped: string, ordered: string) =>
      `Shipped ${shipped} of ${ordered}. The rest isn't billed here.`,
    price: (books: string, order: string) => `This item is ${books} in QuickBooks and ${order} on the order.`,
    bill: (order: string) => `Bill ${order}`,
    forLine: (sku: string) => `for ${sku}`,
    theirs: (number: string, day: string, total: string) =>
      `QuickBooks already has invoice ${number}, dated ${day}, for ${total}`,
    /** @param packages tracking numbers of what is billed here */
    evidence: (hasTrackingNumber: boolean, [first = "", ...others]: readonly string[]) => {
      const packages = others.length > 0 ? `${first} and ${others.length} more` : first;
      return hasTrackingNumber
        ? `with the tracking number of this shipment (${packages}).`
        : `with this PO number. Does it bill this shipment (${packages})?`;
    },
    openTheirs: "Open it in QuickBooks",
    link: "It's this invoice",
    other: "It's a different one",
    credited: "It's credited",
    find: "Find it in QuickBooks",
    held: "This invoice isn't sent to the retailer. The timeline says why. If you entered it in the retailer's portal, say so here.",
    portal: "It's in the portal",
    handled: "Mark as handled",
    handledDetail: (number: string) => `invoice ${number}`,
    answered: "Saved.",
    waits: WAITS,
    post: (amount: string) => `Post to QuickBooks · ${amount}`,
    posted: "Posted.",
    posting: "The invoice is being posted.",
    stands: {
      posted: (number: string) => `Posted to QuickBooks as invoice ${number}.`,
      linked: (number: string) => `Linked to invoice ${number} in QuickBooks.`,
    },
    rejected: "The retailer rejected this invoice. Its answer is in the timeline.",
    doubted: "The retailer wrote about this invoice. If it didn't take it, mark it as rejected to resend it.",
    reject: "Mark as rejected",
    markedRejected: "The invoice is marked as rejected.",
    resend: "Resend to the retailer",
    resent: "The invoice will be sent to the retailer again.",
    open: (number: string) => `Open invoice ${number} in QuickBooks`,
  },
} as const;
