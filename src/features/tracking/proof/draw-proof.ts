import { findInk } from "#formats/carrier-label/picture.ts";
import { readPicture } from "#formats/carrier-label/read-picture.ts";
import type { Picture } from "#formats/label/drawing.ts";
import type { FontFile } from "#formats/pdf/fonts.ts";
import { toScan } from "#features/packages/index.ts";
import type { Activity } from "#integrations/ups/track-answer.ts";
import {
  BOTTOM,
  instantText,
  LEFT,
  openSheet,
  SCAN_COLUMNS,
  scanTime,
  rowHeight,
  write,
  writeFacts,
  writeFooter,
  writeHeading,
  writeLines,
  writePaper,
  writeRow,
  type Fact,
  type Sheet,
} from "#features/tracking/paper.ts";

type Proof = {
  trackingNumber: string;
  facts: readonly Fact[];
  /** GIF or PNG. */
  signature: Uint8Array | null;
  /** Newest first. */
  activities: readonly Activity[];
  source: "carrier" | "activity";
  /** Time of UPS's answer. */
  answeredAt: Date;
};

/** Writes a proof of delivery: one page, the same bytes for the same values. */
export function drawProof(proof: Proof, fontFile: FontFile): Promise<Buffer> {
  const sheet = openSheet("Proof of delivery", "UPS");
  if (proof.source === "activity") {
    writeLines(sheet, "Made from tracking activity: UPS had no proof of delivery document");
    sheet.y += 8;
  }
  writeFacts(sheet, proof.facts);
  if (proof.signature) drawSignature(sheet, proof.signature);
  drawActivities(sheet, proof.activities);
  writeFooter(sheet, [`Tracking results provided by UPS on ${instantText(proof.answeredAt)}.`]);
  return writePaper(`Proof of delivery ${proof.trackingNumber}`, [sheet], fontFile);
}

/** Room for a signature, in points. */
const SIGNATURE = { width: 240, height: 64 };
/** A small picture is not blown up: a pixel is at most a point. */
const MAX_SCALE = 1;

/** Draws the signature; one that can't be read is named instead, and one without ink is omitted. */
function drawSignature(sheet: Sheet, bytes: Uint8Array): void {
  const picture = readSignature(bytes);
  if (picture && !hasInk(picture)) return;
  writeHeading(sheet, "Signature");
  if (!picture) {
    writeLines(sheet, "UPS's picture of the signature can't be read, so it is left out.");
    return;
  }
  const scale = Math.min(SIGNATURE.width / picture.width, SIGNATURE.height / picture.height, MAX_SCALE);
  const size = { width: picture.width * scale, height: picture.height * scale };
  sheet.pictures.push({ picture, x: LEFT, y: sheet.y - 8, ...size });
  sheet.y += size.height + 4;
}

function readSignature(bytes: Uint8Array): Picture | null {
  try {
    return readPicture(bytes);
  } catch {
    // Whatever is wrong with a picture, the proof is made without it.
    return null;
  }
}

function hasInk(picture: Picture): boolean {
  const ink = findInk(picture);
  return picture.pixels.some((index) => ink[index] === 1);
}

/** Draws the activities that fit on the page, and counts the earlier ones. */
function drawActivities(sheet: Sheet, activities: readonly Activity[]): void {
  if (activities.length === 0) return;
  writeHeading(sheet, "Tracking activity");
  const rows = activities.map((each) => [
    scanTime(toScan(each)),
    each.description,
    [each.place.city, each.place.state, each.place.country].filter(Boolean).join(", "),
  ]);
  let drawn = 0;
  for (const cells of rows) {
    const isLast = drawn === rows.length - 1;
    if (sheet.y + rowHeight(cells, SCAN_COLUMNS) * (isLast ? 1 : 2) > BOTTOM) break;
    writeRow(sheet, cells, SCAN_COLUMNS);
    drawn += 1;
  }
  const left = rows.length - drawn;
  if (left > 0) write(sheet, left === 1 ? "and 1 earlier scan" : `and ${left} earlier scans`, { size: 9 });
}
