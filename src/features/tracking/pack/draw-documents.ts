import type { StoredMessage, StoredNotice } from "#features/orders/index.ts";
import {
  dayText,
  drawTable,
  instantText,
  LEFT,
  openSheet,
  RIGHT,
  writeFacts,
  writeHeading,
  type Column,
  type Sheet,
} from "#features/tracking/paper.ts";

const STATES = {
  pending: "Not sent yet",
  sent: "Sent, not answered",
  accepted: "Accepted by the retailer",
  rejected: "Rejected by the retailer",
  withdrawn: "Withdrawn before it was sent",
} as const;

/** State, times and control number of a document for a retailer. */
export const noticeFacts = (notice: StoredNotice): (readonly [string, string])[] => [
  ["PO number", notice.po_number],
  ["State", STATES[notice.state]],
  ["Planned", instantText(notice.created_at)],
  ["Sent", instantText(notice.sent_at)],
  [notice.state === "withdrawn" ? "Withdrawn" : "Answered", instantText(notice.ended_at)],
  ["Control number", notice.control_number === null ? "" : String(notice.control_number)],
  ["Problems", notice.problems.join(" ")],
];

const BILLED: readonly Column[] = [
  { x: LEFT, width: 70 },
  { x: 130, width: 90 },
  { x: 230, width: 110 },
  { x: 350, width: RIGHT - 350 },
];

/** Draws the document of an invoice for the retailer, each time that it was sent. */
export function drawInvoiceDocuments(notices: readonly StoredNotice[], retailer: string): Sheet[] {
  return notices.flatMap((notice) => {
    const { facts } = notice;
    if (!("invoice" in facts)) return [];
    const { number, date, total, freight, allowance, tax, lines } = facts.invoice;
    const sheet = openSheet("Invoice to the retailer", retailer);
    const amount = (text: string) => (Number(text) === 0 ? "" : text);
    writeFacts(sheet, [
      ["Document", notice.document],
      ["Invoice", number],
      ["Date", dayText(date)],
      ["Total", total],
      ["Freight", amount(freight)],
      ["Allowance", amount(allowance)],
      ["Tax", amount(tax)],
      ...noticeFacts(notice),
    ]);
    writeHeading(sheet, "Lines");
    const rows = lines.map(({ line, quantity, unitPrice, amount: billed }) => [
      `Line ${line}`,
      quantity,
      unitPrice,
      billed,
    ]);
    return drawTable(sheet, [["", "Quantity", "Price", "Amount"], ...rows], BILLED);
  });
}

const ANSWERS: readonly Column[] = [
  { x: LEFT, width: 140 },
  { x: 200, width: 80 },
  { x: 290, width: RIGHT - 290 },
];

const ANSWERED = { accepted: "accepted", rejected: "rejected" } as const;

/** Draws what the retailer answered to documents, the first answer first; empty without any. */
export function drawAnswers(
  notices: readonly StoredNotice[],
  messages: readonly StoredMessage[],
  retailer: string,
): Sheet[] {
  const answers = [
    ...notices.flatMap(({ document, state, ended_at: at, problems, control_number: number }) =>
      at && (state === "accepted" || state === "rejected")
        ? [{ at, by: "997", text: `${document} ${number ?? ""} ${ANSWERED[state]}. ${problems.join(" ")}` }]
        : [],
    ),
    ...messages.map(({ document, received_at: at, sentences }) => ({
      at,
      by: document,
      text: sentences.join(" "),
    })),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  if (answers.length === 0) return [];
  const rows = answers.map(({ at, by, text }) => [instantText(at), by, text]);
  return drawTable(openSheet("Retailer's answers", retailer), rows, ANSWERS);
}
