import { counted, formatCount, formatZoned } from "#web/kit/format.ts";

const noMore = (count: number) => `${counted(count, "carton")}. UPS won't accept these labels anymore`;
const letKnow = (payer: string, count: number) =>
  `Let ${payer} know that the shipment's ${count === 1 ? "tracking number is" : `${formatCount(count)} tracking numbers are`} void`;

/** UI text for the History tab. */
export const historyWords = {
  title: "Recently generated UPS labels",
  loading: "Loading UPS labels",
  none: "No data.",
  noneHint: "UPS labels you make are listed here. You can reprint or void them.",
  noMatch: "No label matches.",
  filters: "Show",
  filterLabels: { all: "All", unscanned: "Not scanned", voided: "Voided" },
  search: "Search labels",
  searchFor: "PO, customer, or shipment",
  heads: ["Order", "Shipment", "State", "Actions"] as const,
  order: (po: string) => `PO # ${po}`,
  customer: (name: string) => `(${name})`,
  madeAt: (iso: string) => `Label generated ${formatZoned(iso)}`,
  voidedAt: (iso: string, by: string) => `Voided ${formatZoned(iso)}${by === "" ? "" : ` by ${by}`}`,
  lastVoidedAt: (iso: string, by: string) =>
    `Last voided ${formatZoned(iso)} ${by === "" ? "on ups.com" : `by ${by}`}`,
  cartons: (count: number) => counted(count, "carton"),
  billed: (cost: string, payer: string | null) =>
    `${cost === "" ? "" : `${cost}, `}billed to ${payer ?? "you"}`,
  print: "Print",
  reprint: "Reprint",
  selected: "Selected labels",
  select: (po: string) => `Select the labels of PO # ${po}`,
  printDetail: (po: string) => `labels of PO # ${po}`,
  states: {
    unscanned: "Not scanned yet",
    stale: (days: number) => `Not scanned in ${counted(days, "day")}`,
    moving: "On the way",
    delivered: "Delivered",
    partly_voided: "Partly voided",
    voided: "Voided",
    voidedAtUps: "Voided on ups.com",
    voiding: "Voiding at UPS…",
  },
  notifiedVoid: (payer: string) =>
    `${payer} already has the ship notice for these labels. Let them know they're void.`,
  canceledByRetailer: "The retailer canceled this order: void its labels",
  whyNot: {
    moving: "UPS has it",
    delivered: "UPS delivered it",
    other: "Too late to void",
  },
  voidLabels: "Void Label(s)",
  voiding: (po: string) => `Voiding the labels of PO # ${po}`,
  errorTitle: "Void Error",
  kept: (numbers: readonly string[]) =>
    `UPS didn't void ${numbers.join(", ")}. UPS may already have the package.`,
  voided: {
    open: (po: string) => `Label(s) voided. PO # ${po} is open again.`,
    canceled: (po: string) => `Label(s) voided. The retailer canceled PO # ${po}, so it isn't open again.`,
  },
  makeNew: "Make new labels",
  newLabels: "New labels:",
  dialog: {
    title: (po: string) => `Void the labels of PO # ${po}?`,
    text: {
      open: (count: number) => `${noMore(count)}, and the order will be open again. You can't undo this.`,
      canceled: (count: number) =>
        `${noMore(count)}. The retailer canceled the order, so it won't be open again. You can't undo this.`,
    },
    notified: (payer: string) => `${payer} already has the ship notice`,
    notifiedText: {
      open: (payer: string, count: number) => `${letKnow(payer, count)} and that you'll send new ones.`,
      canceled: (payer: string, count: number) => `${letKnow(payer, count)}.`,
    },
    keep: "Keep",
  },
  more: (count: number) => `Show ${formatCount(count)} more`,
} as const;
