import type { LabelPapers } from "#features/shipping/index.ts";
import { placeText } from "#features/orders/index.ts";
import { noticeFacts } from "#features/tracking/pack/draw-documents.ts";
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
  { x: 120, width: 60 },
  { x: 190, width: 100 },
  { x: 300, width: RIGHT - 300 },
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
  const rows = content.lines.map(({ quantity, unit, unitCost, vendorSku, buyerSku, description }) => [
    `${quantity} ${unit}`.trim(),
    unitCost && `at ${unitCost}`,
    vendorSku || buyerSku,
    description,
  ]);
  return drawTable(sheet, rows, LINES);
}

const CARTONS: readonly Column[] = [
  { x: LEFT, width: 140 },
  { x: 200, width: 50 },
  { x: 260, width: RIGHT - 260 },
];

/** Draws the facts of a ship notice: what it says, and when it was sent. */
export function drawNotice(notice: NonNullable<LabelPapers["notice"]>, retailer: string): Sheet[] {
  const { facts } = notice;
  const sheet = openSheet("Ship notice", retailer);
  writeFacts(sheet, noticeFacts(notice));
  if (!("cartons" in facts)) return [sheet];
  writeHeading(sheet, "Cartons");
  const rows = facts.cartons.map(({ trackingNumber, weightLb, contents }) => [
    trackingNumber,
    `${weightLb} lb`,
    (contents ?? []).map(({ line, quantity }) => `${quantity} of line ${line}`).join(", "),
  ]);
  return drawTable(sheet, rows, CARTONS);
}
