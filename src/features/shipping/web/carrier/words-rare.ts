import { pounds, stateWords } from "#features/shipping/web/carrier/words.ts";
import { counted, formatCount, formatMoment } from "#web/kit/format.ts";

/** UI text for the question about a shipment at UPS that has an order's PO number. */
export const strangerWords = {
  title: "Another shipment at UPS has this PO",
  text: (po: string) => `We won't buy labels for PO # ${po} until you tell us what it is.`,
  ours: "Ours",
  theirs: "At UPS",
  notBought: "not bought yet",
  madeAt: (iso: string) => formatMoment(iso),
  cartons: (count: number) => counted(count, "carton"),
  weights: (each: readonly string[]) =>
    each.length === 0 ? "" : `${each.map((weight) => pounds.format(Number(weight))).join(", ")} lb`,
  facts: {
    consignee: "Ship to",
    packages: "Cartons",
    weights: "Weight",
    service: "Service",
    time: "Made",
  },
  unknown: "UPS doesn't say",
  differs: "differs",
  answers: {
    use: "Use this label",
    not_ours: "It isn't ours: buy a new one",
    void_theirs: "It's a mistake: void it, then buy ours",
  },
  effects: {
    use: "Its tracking numbers become this order's. Nothing is bought.",
    not_ours: "It stays as it is, and UPS charges for both.",
    void_theirs: "Only possible until UPS has scanned it.",
  },
  void: {
    title: "Void this shipment at UPS?",
    text: "Whoever made it can't use its labels, and you can't undo this.",
    keep: "Keep",
    confirm: "Void it, then buy ours",
    done: "Voided at UPS. Making our labels.",
  },
} as const;

/** UI text for notices for the retailer. */
export const noticeWords = {
  due: (count: number, retailer: string) =>
    count === 1 ? `1 notice for ${retailer} is due` : `${formatCount(count)} notices for ${retailer} are due`,
  text: (retailer: string) => `Download this file and send it to ${retailer}. We'll mark it as sent.`,
  type: "notices",
  fileName: "notices.edi",
  xmlType: "XML notices",
  xmlFileName: "notices.xml",
} as const;

/** UI text for the question about labels that UPS never confirmed or denied. */
export const askedWords = {
  asked: "UPS never answered and doesn't show these labels.",
  askedText:
    "Check your shipping history at ups.com. If the labels aren't there, make them again. If they are, enter their tracking number.",
  createAgain: "Make again",
  enterNumber: "Enter the tracking number",
  number: "UPS tracking number",
  numberHint: "18 characters, such as 1Z 999 AA1 01 2345 6784.",
  numberWrong: "A UPS tracking number starts with 1Z and has 18 characters.",
  save: "Save",
  back: stateWords.back,
} as const;

/** UI text for the form that corrects an address. */
export const addressWords = {
  title: "Ship to",
  name: "Name",
  attention: "Attention",
  line: (place: number) => (place === 0 ? "Address" : `Address ${place + 1}`),
  city: "City",
  state: "State",
  zip: "ZIP code",
  phone: "Phone",
  save: "Save address",
  missing: "Enter name, address, city, state, and ZIP code.",
} as const;

/** UI text for the choice between an order's address and UPS's. */
export const addressChoiceWords = {
  ours: "On the order",
  meant: "UPS suggests",
  use: "Use UPS's address",
  keep: "Keep this one",
  used: (po: string) => `Address of PO # ${po} saved. Generating its labels.`,
} as const;

/** UI text for an order whose service isn't known. */
export const serviceWords = {
  unknown: (code: string) => `The retailer asks for "${code}", a UPS service we don't know.`,
  label: (po: string) => `UPS service of PO # ${po}`,
  choose: "Choose a service",
} as const;

/** UI text for the table of carton contents. */
export const packingWords = {
  caption: (cartons: number) => (cartons === 1 ? "Pieces in the carton" : "Pieces in each carton"),
  item: "Item",
  left: "Left",
  carton: "Carton",
  packed: "Packed",
  all: "All",
  some: (count: number, open: string) => `${count} of ${open}`,
  inCarton: (place: number) => `Carton ${place}`,
  ofIn: (sku: string, place: number) => `${sku} in carton ${place}`,
  ship: (count: number, open: string) => `Ship ${count} of ${open}.`,
  keepRest: (rest: number) => `Keep ${rest} open`,
  cancelRest: (rest: number) => `Cancel ${rest}`,
  fault: (
    { at, fault }: { at: number; fault: "number" | "too_many" | "empty" },
    line: { sku: string; open: string } | undefined,
  ) =>
    fault === "empty"
      ? `Carton ${at + 1} is empty. Enter what is in it, or delete it.`
      : fault === "number"
        ? `Enter how many of ${line?.sku ?? ""} are in carton ${at + 1}, like 2.`
        : `The cartons have more of ${line?.sku ?? ""} than the ${line?.open ?? ""} left to ship.`,
} as const;
