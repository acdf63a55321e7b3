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

/** Draws all scans of a package, newest first. */
export function drawScans(pkg: ViewedPackage): Sheet[] {
  const { delivered } = pkg;
  const sheet = openSheet("Scans", "UPS");
  writeFacts(sheet, [
    ["Tracking number", pkg.number],
    ["Service", pkg.service],
    ["Delivered", delivered ? scanTime(delivered) : ""],
    ["Delivered to", delivered?.place ?? ""],
    ["Left at", pkg.left_at],
    ["Received by", pkg.received_by],
    ["Last checked with UPS", instantText(pkg.polled_at)],
  ]);
  writeHeading(sheet, "Tracking activity");
  const rows = pkg.activities.map((each) => [scanTime(each), each.text, each.place]);
  return drawTable(sheet, rows, SCAN_COLUMNS);
}
