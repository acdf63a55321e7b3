import { textParam } from "#formats/facts.ts";
import type { FunctionalAcknowledgment } from "#formats/x12/functional-acknowledgment.ts";
import type { FaultCode, X12Fault } from "#formats/x12/faults.ts";
import type { NotWritable } from "#formats/x12/not-writable.ts";
import type { WaitingView } from "#features/orders/contract.ts";
import type { StoredOrder } from "#features/orders/store.ts";
import type { Order, OrderCharge } from "#features/orders/types.ts";
import { centsText } from "#platform/money.ts";

/** Parts of sentences about faults of X12 files; `{value}` is the text found, `{…}` a parameter of the fault. */
const FAULTS: Record<FaultCode, string> = {
  no_interchange: "This isn't an X12 file: it has no ISA segment.",
  outside_interchange: "There is text outside an interchange. Ask the sender for the whole file.",
  interchange_header_length: "The ISA segment isn't 106 characters long, so its separators can't be read.",
  interchange_header_value: 'has the value "{value}", which an interchange header can\'t have.',
  delimiters_not_usable:
    "The separators of the ISA segment can't be used: two are the same, or one is a letter.",
  interchange_trailer_missing: "The file ends without an IEA segment, so a part may be missing.",
  interchange_trailer_value: 'The IEA segment has the value "{value}", which isn\'t a number.',
  interchange_number_differs: "The numbers of the ISA and the IEA segment differ.",
  group_count_differs: "The IEA segment's count of groups differs from the file's.",
  segment_outside_group: "A segment is outside a group.",
  segment_not_ended: "The last segment is cut off.",
  group_header_value: 'has the value "{value}", which a group header can\'t have.',
  group_trailer_missing: "A group ends without its GE segment, so a part may be missing.",
  group_number_differs: "The numbers of the GS and the GE segment differ.",
  set_count_differs: "The GE segment's count of documents differs from the group's.",
  segment_outside_set: "A segment is between two documents.",
  set_not_known: "Documents of this type can't be read.",
  set_trailer_missing: "The document ends without its SE segment, so a part may be missing.",
  set_number_differs: "The numbers of the ST and the SE segment differ.",
  segment_count_differs: "The SE segment's count of segments differs from the document's.",
  set_not_of_group: "The document's type differs from its group's.",
  set_header_value: 'The ST segment has the value "{value}", which isn\'t a control number.',
  set_too_long: "The document has too many segments.",
  content_not_usable: "The document has values that can't be used.",
  segment_name_not_valid: "isn't the name of a segment.",
  segment_unexpected: "isn't allowed here.",
  segment_missing: "is missing.",
  segment_too_often: "occurs too often.",
  element_missing: "is missing.",
  element_missing_beside: "is required because a related element is present.",
  too_many_elements: "has too many elements.",
  too_short: 'is "{value}", which is too short.',
  too_long: 'is "{value}", which is too long.',
  character_not_valid: 'is "{value}", which has a character that X12 doesn\'t allow.',
  number_not_valid: 'is "{value}", not a number.',
  code_not_valid: 'is "{value}", which isn\'t a valid code.',
  count_differs: "is {value}, which isn't the document's count.",
  date_not_valid: 'is "{value}", not a date.',
  time_not_valid: 'is "{value}", not a time.',
};

/** "Document 0001, segment 2: BEG05 is "2026113", not a date." */
export function x12Sentence({ code, set, segment, position, element, value }: X12Fault): string {
  const text = FAULTS[code].replace("{value}", value);
  if (/^[A-Z]/.test(text)) return set === "" ? text : `Document ${set}: ${text}`;
  const place = [set && `Document ${set}`, position !== null && `segment ${position}`]
    .filter(Boolean)
    .join(", ");
  const name = segment + (element === null ? "" : String(element).padStart(2, "0"));
  return `${place === "" ? "" : `${place}: `}${name} ${text}`;
}

/** X12's codes of errors: of an element (AK403), a segment (AK304), a document (AK502) and a group (AK905). */
const ELEMENT_ERRORS: Readonly<Record<string, string>> = {
  "1": "is missing",
  "2": "is required because a related element is present",
  "3": "has too many elements",
  "4": "is too short",
  "5": "is too long",
  "6": "has a character that isn't allowed",
  "7": "isn't a valid code",
  "8": "isn't a date",
  "9": "isn't a time",
  "10": "can't be used together with another element",
};
const SEGMENT_ERRORS: Readonly<Record<string, string>> = {
  "1": "isn't known",
  "2": "isn't allowed here",
  "3": "is missing",
  "4": "begins a loop that occurs too often",
  "5": "occurs too often",
  "6": "isn't part of this document",
  "7": "is out of order",
};
const SET_ERRORS: Readonly<Record<string, string>> = {
  "1": "the retailer doesn't accept documents of this type",
  "2": "its end is missing",
  "3": "its control numbers differ",
  "4": "its count of segments is wrong",
  "5": "segments have errors",
  "6": "its type isn't valid",
  "7": "its control number isn't valid",
};
const GROUP_ERRORS: Readonly<Record<string, string>> = {
  "1": "the retailer doesn't accept groups of this kind",
  "2": "the retailer uses a different X12 release",
  "3": "its end is missing",
  "4": "its control numbers differ",
  "5": "its count of documents is wrong",
  "6": "its control number isn't valid",
};

/** Names of elements of our documents that retailers complain about. */
const ELEMENT_NAMES: Readonly<Record<string, string>> = {
  BIG01: "the invoice date",
  BIG02: "the invoice number",
  BIG04: "the PO number",
  BSN02: "the shipment number",
  CAD08: "the tracking number",
  IT101: "the line number",
  IT102: "the billed quantity",
  IT104: "the price",
  LIN03: "the product ID",
  MAN02: "the package number",
  N104: "the party's number",
  PRF01: "the PO number",
  REF02: "the reference",
  SAC05: "the amount of an allowance or charge",
  SN102: "the shipped quantity",
  TD102: "the number of packages",
  TD107: "the weight",
  TD505: "the routing",
  TDS01: "the total",
};

const nameError = (words: Readonly<Record<string, string>>, code: string) =>
  words[code] === undefined
    ? `has ${code ? `error ${code}` : "an error without a code"}`
    : `${words[code]} (error ${code})`;

/** Why a retailer rejects a document of ours, as far as its 997 says. */
export function answerSentences({
  sets,
  errors,
}: Pick<FunctionalAcknowledgment, "sets" | "errors">): string[] {
  const sentences = sets.flatMap((set) => [
    ...set.segments.flatMap(({ name, position, errors: codes, elements }) =>
      elements.length === 0
        ? [
            `Segment ${position}, ${name}, ${(codes.length > 0 ? codes : [""]).map((code) => nameError(SEGMENT_ERRORS, code)).join(", ")}.`,
          ]
        : elements.map(({ place, error, value }) => {
            const element = `${name}${place.padStart(2, "0")}`;
            const called = ELEMENT_NAMES[element] === undefined ? "" : `, ${ELEMENT_NAMES[element]},`;
            return `Segment ${position}, ${element}${called}${value && ` ("${value}")`} ${nameError(ELEMENT_ERRORS, error)}.`;
          }),
    ),
    ...set.errors.map((code) => `Document: ${nameError(SET_ERRORS, code)}.`),
  ]);
  const all = [...sentences, ...errors.map((code) => `Group: ${nameError(GROUP_ERRORS, code)}.`)];
  return all.length > 0 ? all : ["The retailer gave no reason."];
}

/** Stands at the document of an invoice that a user entered by hand. */
export const ENTERED = "Entered in the retailer's portal.";

/** Says that a retailer's message may mean several documents of ours. */
export const unclearSubject = (po: string, document: string, count: number): string =>
  `${po === "" ? "Its text fits" : `PO # ${po} has`} ${count} ${document === "" ? "invoices" : `documents (${document})`}, and the message doesn't say which one it means. Find it in the retailer's portal.`;

/** Why a notice can't be written. */
export function cannotWrite({ params }: NotWritable): string {
  return `The notice can't be written: ${textParam(params, "segment")} can't hold "${textParam(params, "value")}".`;
}

/** A difference between an order and another one under its number, for a user who must choose. */
export type Difference = { what: string; now: string; new: string };

/** "Freight (charge D240) 12.50" */
const nameCharge = ({ indicator, code, amountCents, percent, rate, description }: OrderCharge): string => {
  const kind = indicator === "A" ? "allowance" : indicator === "C" ? "charge" : indicator;
  const amount = amountCents === null ? "" : centsText(amountCents);
  return [description, `(${kind} ${code})`, amount, percent && `${percent}%`, rate].filter(Boolean).join(" ");
};

const FIELDS: readonly [string, (order: Order) => string][] = [
  ["Customer order", (order) => order.customerOrder],
  ["Order date", (order) => order.orderDate ?? ""],
  ["Ship by", (order) => order.shipBy ?? ""],
  ["Cancel after", (order) => order.cancelAfter ?? ""],
  ["Name", ({ shipTo }) => [shipTo.name, shipTo.attention].filter(Boolean).join(", ")],
  ["Address", ({ shipTo }) => shipTo.lines.join(", ")],
  ["City", ({ shipTo }) => `${shipTo.city}, ${shipTo.state} ${shipTo.zip} ${shipTo.country}`],
  ["Phone", ({ shipTo }) => shipTo.phone],
  ["Service", (order) => order.serviceCode],
  ["Gift message", (order) => order.giftMessage],
  ["Message", (order) => order.vendorMessage],
  ["Signature", ({ isSignatureRequired }) => (isSignatureRequired ? "required" : "")],
  ["Order type", ({ billing }) => billing?.orderType ?? ""],
  ["Currency", ({ billing }) => billing?.currency ?? ""],
  [
    "Terms",
    ({ billing }) =>
      Object.values(billing?.terms ?? {})
        .filter(Boolean)
        .join(" "),
  ],
  ["Allowances and charges", ({ billing }) => (billing?.charges ?? []).map(nameCharge).join(", ")],
  [
    "Parties",
    ({ billing }) =>
      (billing?.parties ?? []).map((party) => Object.values(party).filter(Boolean).join(" ")).join(", "),
  ],
  [
    "References",
    ({ references }) => references.map(({ qualifier, value }) => `${qualifier} ${value}`).join(", "),
  ],
];

const LINE_FIELDS: readonly [string, (line: Order["lines"][number]) => string][] = [
  ["Quantity", ({ quantity }) => quantity],
  ["Unit", ({ unit }) => unit],
  ["Unit cost", ({ unitCost }) => unitCost],
  ["Price basis", ({ priceBasis }) => priceBasis ?? ""],
  ["SKU", ({ buyerSku }) => buyerSku],
  ["Vendor SKU", ({ vendorSku }) => vendorSku],
  ["UPC", ({ upc }) => upc],
  ["Description", ({ description }) => description],
  ["Allowances and charges", ({ charges = [] }) => charges.map(nameCharge).join(", ")],
];

/** The order that waits for a user's choice because its number is already stored; null if none does. */
export const showWaiting = ({
  content,
  waiting,
  waiting_at: at,
}: Pick<StoredOrder, "content" | "waiting" | "waiting_at">): WaitingView | null =>
  waiting && at && { received_at: at.toISOString(), differences: listDifferences(content, waiting) };

/** Advice about an invoice whose labels were voided before the retailer has it. */
export const VOID_IT = "Void it in QuickBooks, or undo its upload.";

/** Why the invoice of voided labels doesn't leave. */
export const labelsVoided = (number: string): string =>
  `Invoice ${number}: its labels were voided. ${VOID_IT} If the goods were shipped in another way, enter this invoice in the retailer's portal.`;

/** Why the one invoice of an order doesn't leave while pieces of it are left to ship. */
export const orderIncomplete = (number: string): string =>
  `Invoice ${number}: its order has pieces left to ship. This retailer takes one invoice for all of an order: ship or cancel the rest first.`;

/** Why a retailer that has the one invoice of an order can't add pieces to it. */
export const INVOICED_WHOLE =
  "The retailer has this order's one invoice. Keep the order, and ask for another PO number for the rest.";

/** Why no invoice of an order leaves while another order waits. */
export const CHANGE_WAITS =
  "The retailer changed this order, or sent a different one with its number. Choose first which one counts.";

/** Why nothing of an order with labels is billed that its retailer canceled. */
export const ORDER_CANCELED =
  "The retailer canceled this order after its labels were made: void its labels, or confirm that it shipped.";

/** Differences of two orders, as a user reads them; lines are compared by their number. */
export function listDifferences(now: Order, next: Order): Difference[] {
  const differences: Difference[] = [];
  for (const [what, read] of FIELDS)
    if (read(now) !== read(next)) differences.push({ what, now: read(now), new: read(next) });
  const numbers = new Set([...now.lines, ...next.lines].map(({ line }) => line));
  for (const number of numbers) {
    const [ours, theirs] = [now, next].map(({ lines }) => lines.find(({ line }) => line === number));
    if (!ours || !theirs) {
      const text = (line: typeof ours) =>
        line ? `${line.quantity} × ${line.description || line.buyerSku}` : "";
      differences.push({ what: `Line ${number}`, now: text(ours), new: text(theirs) });
      continue;
    }
    for (const [what, read] of LINE_FIELDS)
      if (read(ours) !== read(theirs))
        differences.push({ what: `${what} of line ${number}`, now: read(ours), new: read(theirs) });
  }
  return differences;
}
