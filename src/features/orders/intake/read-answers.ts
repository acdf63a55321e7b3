import {
  readApplicationAdvice,
  readCreditDebit,
  readRemittance,
  readTextMessage,
  type ApplicationAdvice,
  type Remittance,
} from "#formats/x12/answers.ts";
import { readFunctionalAcknowledgment } from "#formats/x12/functional-acknowledgment.ts";
import type {
  InterchangeHeader,
  ReadDocument,
  Segment,
  TransactionSet,
} from "#formats/x12/transaction-set.ts";
import { text } from "#formats/x12/values.ts";
import { fromCents, toCents } from "#features/orders/notices-out/money.ts";
import { answerSentences } from "#features/orders/sentences.ts";
import type { NoticeAnswer, RetailerMessage } from "#features/orders/types.ts";

type Answer = NoticeAnswer | RetailerMessage;
type Reader = (set: TransactionSet) => ReadDocument<readonly Answer[]>;

/** Applies a reader's result. */
const as =
  <Document>(
    read: (set: TransactionSet) => ReadDocument<Document>,
    toAnswers: (document: Document, source: string) => readonly Answer[],
  ): Reader =>
  (set) => {
    const found = read(set);
    const source = `${nameInterchange(set.interchange)}/${set.group.controlNumber}/${set.controlNumber}`;
    return "faults" in found ? found : { document: toAnswers(found.document, source) };
  };

/** The same for a repeated delivery alone: numbers begin again, and those of tests are others'. */
const nameInterchange = ({ sender, controlNumber, date, isTest }: InterchangeHeader): string =>
  `${sender}/${isTest ? "T" : "P"}/${date}/${controlNumber}`;

/** Accepted, also with errors noted. */
const ACCEPTED: ReadonlySet<string> = new Set(["A", "E"]);

/** Sets that a retailer sends about documents of ours. */
export const ANSWERS: Readonly<Record<string, Reader>> = {
  "997": as(readFunctionalAcknowledgment, (document) => {
    const { functionalId, groupNumber, sets, status } = document;
    const codes = [status, ...sets.map((each) => each.status)];
    const isAccepted = codes.every((code) => ACCEPTED.has(code));
    const hasErrors = codes.some((code) => code !== "A");
    return [
      {
        kind: "answer",
        poNumber: "",
        functionalId,
        controlNumber: Number(groupNumber),
        sets: sets.map(({ type, controlNumber }) => ({ type, controlNumber })),
        isAccepted,
        problems: [
          ...(isAccepted && hasErrors ? ["The retailer accepted it with errors."] : []),
          ...(hasErrors ? answerSentences(document) : []),
        ],
      },
    ];
  }),
  "824": as(readApplicationAdvice, ({ originals }, source) =>
    originals.map((original, at) => toAdvice(original, `${source}/${at}`)),
  ),
  "864": as(readTextMessage, ({ texts }, source) =>
    texts.map(({ description, messages, references }, at) => {
      const lines = [description, ...messages].filter((each) => each !== "");
      const named = [...lines, ...references.map(({ value }) => value)].join(" ");
      return {
        ...NO_MESSAGE,
        document: "864",
        source: `${source}/${at}`,
        about: {
          ...NOTHING,
          documentType: /\b(810|855|856)\b/.exec(named)?.[1] ?? "",
          // A number at the end of a sentence is followed by a point.
          words: [...new Set(named.match(/[A-Za-z0-9][A-Za-z0-9./-]{2,}[A-Za-z0-9]/g))].slice(0, MAX_WORDS),
        },
        meaning: "attention",
        sentences: lines.map((each) => `The retailer wrote: ${each}`),
      };
    }),
  ),
  "820": as(readRemittance, (document, source) => toPayments(document, source)),
  "812": as(readCreditDebit, (document, source) => {
    const { number, amountCents, creditOrDebit, invoiceNumber, orderNumber, lines } = document;
    const reasons = new Set(lines.map(({ reason }) => nameReason(reason)));
    const why = reasons.size === 0 ? "" : ` Reason: ${[...reasons].join(", ")}.`;
    return [
      {
        ...NO_MESSAGE,
        poNumber: orderNumber,
        document: "812",
        source,
        about: { ...NOTHING, documentType: "810", invoiceNumber },
        meaning: "attention",
        sentences: [
          `The retailer issued a ${creditOrDebit === "C" ? "credit" : "debit"} of ${fromCents(amountCents ?? 0)}, number ${number}.${why}`,
        ],
      },
    ];
  }),
};

const MAX_WORDS = 200;
const NOTHING: RetailerMessage["about"] = {
  controlNumber: null,
  documentType: "",
  invoiceNumber: "",
  words: [],
};
const NO_MESSAGE = { kind: "message", poNumber: "" } as const;

/** An 824's word on one document. */
function toAdvice(original: ApplicationAdvice["originals"][number], source: string): RetailerMessage {
  const { status, qualifier, number, groupNumber, type, references, errors } = original;
  // A group or batch of ours has one document. Others that end so reject an item or a part of it.
  const isRefused = ["TR", "GR", "BR"].includes(status);
  const isTaken = status.endsWith("A");
  const said = errors.flatMap(({ text: words, badData, notes }) => [
    [words, badData && `"${badData}"`].filter(Boolean).join(" "),
    ...notes.map((note) => note.text),
  ]);
  return {
    ...NO_MESSAGE,
    poNumber:
      references.find((reference) => reference.qualifier === "PO")?.value ??
      (qualifier === "PO" ? number : ""),
    document: "824",
    source,
    about: {
      ...NOTHING,
      controlNumber: /^\d{1,9}$/.test(groupNumber) ? Number(groupNumber) : null,
      documentType: type,
      invoiceNumber: qualifier === "IV" ? number : "",
    },
    meaning: isRefused ? "refused" : isTaken ? "note" : "attention",
    sentences: [
      isRefused
        ? "The retailer's system rejected it."
        : isTaken
          ? "The retailer's system accepted it."
          : status.endsWith("R")
            ? "The retailer's system rejected a part of it."
            : status.endsWith("P")
              ? "The retailer's system accepted a part of it."
              : "The retailer's system accepted it, with errors.",
      ...said.filter((each) => each !== ""),
    ],
  };
}

/** X12's reasons for which less or more is paid. */
const REASONS: Readonly<Record<string, string>> = {
  "01": "price",
  "02": "allowance",
  "03": "damaged goods",
  "04": "quality",
  "05": "wrong item",
  "06": "quantity",
  "07": "not the goods that were ordered",
  "09": "terms",
  "11": "returns or damage",
  "19": "duplicate",
  "24": "discount",
  "54": "freight deducted",
};
const nameReason = (code: string) => (REASONS[code] ? `${REASONS[code]} (${code})` : `code ${code}`);

/** Whether an invoice is paid with less than its total, apart from the discount. */
function isShort(amounts: Record<"paid" | "total" | "discount", string>): boolean {
  const [paid, total, discount] = [amounts.paid, amounts.total, amounts.discount || "0"].map(toCents);
  return typeof paid === "number" && typeof total === "number" && paid + (discount ?? 0) < total;
}

/** Messages of a payment, for each invoice; an adjustment of the payment alone is a message of its own. */
function toPayments({ number, payments, entities }: Remittance, source: string): RetailerMessage[] {
  const all = [...payments, ...entities.flatMap((entity) => entity.payments)];
  const said = all.map(({ qualifier, number: invoiceNumber, paid, total, discount, adjustments }) => ({
    invoiceNumber: qualifier === "IV" || qualifier === "" ? invoiceNumber : "",
    isLess: adjustments.length > 0 || isShort({ paid, total, discount }),
    sentences: [
      `The retailer paid ${paid}${total && ` of ${total}`}${discount && `, with a discount of ${discount}`}, in payment ${number}.`,
      ...adjustments.map(({ amount, reason }) => `Adjusted by ${amount}: ${nameReason(reason)}.`),
    ],
  }));
  const others = entities.flatMap((entity) => entity.adjustments);
  if (others.length > 0)
    said.push({
      invoiceNumber: "",
      isLess: true,
      sentences: others.map(
        ({ amount, reason }) => `Payment ${number} is adjusted by ${amount}: ${nameReason(reason)}.`,
      ),
    });
  return said.map(({ invoiceNumber, isLess, sentences }, at) => ({
    ...NO_MESSAGE,
    document: "820",
    source: `${source}/${at}`,
    about: { ...NOTHING, documentType: "810", invoiceNumber },
    meaning: isLess ? "attention" : "note",
    sentences,
  }));
}

/** Note of a TA1 about a transmission that came twice: a repeated delivery of ours, which has the number of the first. */
const REPEATED = "025";

/** TA105: why an interchange is refused, or taken with errors. */
const TA1_NOTES: Readonly<Record<string, string>> = {
  "001": "the control numbers of its header and trailer differ",
  "005": "the sender's qualifier isn't known",
  "006": "the sender's id isn't known",
  "007": "the receiver's qualifier isn't known",
  "008": "the receiver's id isn't known",
  "009": "the receiver isn't known",
  "014": "its date isn't valid",
  "015": "its time isn't valid",
  "016": "its standard isn't valid",
  "017": "its version isn't known",
  "018": "its control number isn't valid",
  "020": "its test flag isn't valid",
  "021": "the number of its groups is wrong",
  "022": "its structure isn't valid",
  "023": "it ends too early",
  "024": "its content isn't valid",
  [REPEATED]: "its control number was used before",
};

/** A TA1 about an interchange of ours. */
export function readTransmissionAnswer(segment: Segment, interchange: InterchangeHeader): RetailerMessage {
  const [number, status, note] = [text(segment, 1), text(segment, 4), text(segment, 5)];
  const why = TA1_NOTES[note] ?? `it gave ${note ? `the note ${note}` : "no reason"}`;
  return {
    ...NO_MESSAGE,
    document: "TA1",
    source: `${nameInterchange(interchange)}/TA1/${number}`,
    about: { ...NOTHING, controlNumber: /^\d{1,9}$/.test(number) ? Number(number) : null },
    meaning: status === "R" && note !== REPEATED ? "refused" : status === "A" ? "note" : "attention",
    sentences: [
      status === "A"
        ? "The retailer's system received the transmission."
        : status === "R"
          ? `The retailer's system rejected the transmission: ${why}.`
          : `The retailer's system received the transmission with errors: ${why}.`,
    ],
  };
}
