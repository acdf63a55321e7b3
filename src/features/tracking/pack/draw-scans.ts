import {
  drawTable,
  instantText,
  openSheet,
  SCAN_COLUMNS,
  scanTime,
  writeFacts,
  writeHeading,
  type Sheet,
} from "#features/tracking/paper.ts";
import type { ViewedPackage } from "#features/tracking/store-views.ts";

/** Draws the scans of a package, all of them, newest first. */
export function drawScans(one: ViewedPackage): Sheet[] {
  const { delivered } = one;
  const sheet = openSheet("Scans", "UPS");
  writeFacts(sheet, [
    ["Tracking number", one.number],
    ["Service", one.service],
    ["Delivered", delivered ? scanTime(delivered) : ""],
    ["Delivered to", delivered?.place ?? ""],
    ["Left at", one.left_at],
    ["Received by", one.received_by],
    ["Last answer of UPS", instantText(one.polled_at)],
  ]);
  writeHeading(sheet, "Tracking activity");
  const rows = one.activities.map((each) => [scanTime(each), each.text, each.place]);
  return drawTable(sheet, rows, SCAN_COLUMNS);
}
