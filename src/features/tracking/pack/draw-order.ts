import type { LabelPapers } from "#features/shipping/index.ts";
import { placeText } from "#features/orders/index.ts";
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

const LINES: readonly Column[] = [
  { x: LEFT, width: 60 },
  { x: 120, width: 110 },
  { x: 240, width: RIGHT - 240 },
];

/** Draws the facts of a retailer's order: what was ordered, and to whom it went. */
export function drawOrder({ order, retailer, service }: LabelPapers): Sheet[] {
  const { content } = order;
  const { shipTo } = content;
  const sheet = openSheet("Order", retailer);
  writeFacts(sheet, [
    ["PO number", order.po_number],
    ["Retailer", retailer],
    ["Customer order", content.customerOrder],
    ["Order date", dayText(content.orderDate ?? "")],
    ["Ship by", dayText(content.shipBy ?? "")],
    ["Received", instantText(order.received_at)],
    ["Ship to", [shipTo.name, shipTo.attention].filter(Boolean).join(", ")],
    ["Address", [...shipTo.lines, placeText(shipTo), shipTo.country].filter(Boolean).join(", ")],
    ["Service", service],
  ]);
  writeHeading(sheet, "Lines");
  const rows = content.lines.map(({ quantity, unit, vendorSku, buyerSku, description }) => [
    `${quantity} ${unit}`.trim(),
    vendorSku || buyerSku,
    description,
  ]);
  return drawTable(sheet, rows, LINES);
}

const NOTICE_STATES = {
  pending: "Not sent yet",
  sent: "Sent, not answered",
  accepted: "Accepted by the retailer",
  rejected: "Rejected by the retailer",
  withdrawn: "Withdrawn before it was sent",
} as const;

const CARTONS: readonly Column[] = [
  { x: LEFT, width: 220 },
  { x: 280, width: RIGHT - 280 },
];

/** Draws the facts of a ship notice: what it says, and when it was sent. */
export function drawNotice(notice: NonNullable<LabelPapers["notice"]>, retailer: string): Sheet[] {
  const { facts } = notice;
  const sheet = openSheet("Ship notice", retailer);
  writeFacts(sheet, [
    ["PO number", notice.po_number],
    ["State", NOTICE_STATES[notice.state]],
    ["Planned", instantText(notice.created_at)],
    ["Sent", instantText(notice.sent_at)],
    [notice.state === "withdrawn" ? "Withdrawn" : "Answered", instantText(notice.ended_at)],
    ["Control number", notice.control_number === null ? "" : String(notice.control_number)],
    ["Problems", notice.problems.join(" ")],
  ]);
  if (!("cartons" in facts)) return [sheet];
  writeHeading(sheet, "Cartons");
  const rows = facts.cartons.map(({ trackingNumber, weightLb }) => [trackingNumber, `${weightLb} lb`]);
  return drawTable(sheet, rows, CARTONS);
}
