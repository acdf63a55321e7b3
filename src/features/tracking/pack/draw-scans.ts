import {
  dayAndTime,
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
import type { ViewedPackage } from "#features/tracking/store-views.ts";

const COLUMNS: readonly Column[] = [
  { x: LEFT, width: 116 },
  { x: 178, width: 214 },
  { x: 402, width: RIGHT - 402 },
];

/** Draws the scans of a package, all of them, newest first. */
export function drawScans(one: ViewedPackage): Sheet[] {
  const { delivered } = one;
  const sheet = openSheet("Scans", "UPS");
  writeFacts(sheet, [
    ["Tracking number", one.number],
    ["Service", one.service],
    ["Delivered", delivered ? dayAndTime(delivered.local_date, delivered.local_time) : ""],
    ["Delivered to", delivered?.place ?? ""],
    ["Left at", one.left_at],
    ["Received by", one.received_by],
    ["Last answer of UPS", instantText(one.polled_at)],
  ]);
  writeHeading(sheet, "Tracking activity");
  const rows = one.activities.map(({ local_date: day, local_time: time, text, place }) => [
    dayAndTime(day, time),
    text,
    place,
  ]);
  return drawTable(sheet, rows, COLUMNS);
}
