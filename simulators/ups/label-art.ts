import { MASK } from "./cie.ts";
import { blankBitmap, fillBox, measureText, turnLeft, writeText, type Bitmap } from "./bitmap.ts";
import type { Package, Party, Reference, Shipment } from "./records.ts";
import { SERVICES } from "./services.ts";
import { code128, drawBars, drawMaxicode, maxicodeText } from "./symbols.ts";

/** The upright label is 4 by 6 inches at 200 dpi; the rest of the picture stays blank. */
const WIDTH = 800;
export const LABEL_HEIGHT = 1200;
const PICTURE_HEIGHT = 1400;

/** Facts of a label in the order in which they are printed. */
export type LabelFacts = { shipment: Shipment; pack: Package };

/** Draws a label as the carrier sends it: rotated, 1400 by 800, text from bottom to top. */
export const drawLabel = (facts: LabelFacts): Bitmap => turnLeft(drawUpright(facts));

/** Draws a label upright, 800 by 1400, blank below the label. */
export function drawUpright({ shipment, pack }: LabelFacts): Bitmap {
  const upright = blankBitmap(WIDTH, PICTURE_HEIGHT);
  drawHead(upright, { shipment, pack });
  rule(upright, 405);
  drawRouting(upright, { shipment, pack });
  rule(upright, 640);
  const service = SERVICES[shipment.service]?.name.toUpperCase() ?? "";
  writeText(upright, service, { x: 24, y: 695, size: 46, bold: true });
  writeText(upright, `TRACKING #: ${spaced(pack.tracking)}`, { x: 24, y: 740, size: 28 });
  rule(upright, 758);
  if (isSample(pack)) writeText(upright, "TRACKING BARCODE PRINTS HERE", { x: 120, y: 890, size: 36 });
  else drawCentered(upright, code128(pack.tracking), { y: 776, height: 190 });
  rule(upright, 985);
  drawFoot(upright, { shipment, pack });
  return upright;
}

/** The test environment draws no codes. */
export const isSample = ({ tracking }: Package): boolean => tracking === MASK;

const rule = (bitmap: Bitmap, y: number) => fillBox(bitmap, { x: 0, y, width: WIDTH, height: 5 });
/** A tracking number in groups, for reading. */
export const spaced = (tracking: string): string =>
  [0, 2, 5, 8, 10, 14].map((from, at, all) => tracking.slice(from, all[at + 1])).join(" ");

export const addressLines = ({ name, attention, phone, lines, city, state, postal }: Party): string[] =>
  [attention === name ? "" : attention, name, phone, ...lines, `${city} ${state} ${dashed(postal)}`]
    .map((line) => line.trim().toUpperCase())
    .filter((line) => line !== "");

const dashed = (postal: string) =>
  postal.length === 9 ? `${postal.slice(0, 5)}-${postal.slice(5)}` : postal;

function drawHead(bitmap: Bitmap, { shipment, pack }: LabelFacts): void {
  addressLines({ ...shipment.shipFrom, lines: shipment.shipFrom.lines.slice(0, 1) }).forEach((line, at) =>
    writeText(bitmap, line.slice(0, 34), { x: 24, y: 36 + at * 28, size: 24 }),
  );
  writeText(bitmap, `${pack.weightLb} LBS`, { x: 430, y: 40, size: 28, bold: true });
  const count = `${pack.number} OF ${shipment.packageCount}`;
  writeText(bitmap, count, { x: WIDTH - 24 - measureText(count, 28), y: 40, size: 28, bold: true });
  writeText(bitmap, "SHIP TO:", { x: 24, y: 200, size: 26, bold: true });
  const size = shipment.shipTo.lines.length > 1 ? 30 : 34;
  addressLines(shipment.shipTo).forEach((line, at) =>
    writeText(bitmap, line, { x: 60, y: 236 + at * (size - 2), size }),
  );
}

function drawRouting(bitmap: Bitmap, { shipment, pack }: LabelFacts): void {
  const { shipTo } = shipment;
  if (isSample(pack)) {
    writeText(bitmap, "SAMPLE", { x: 40, y: 540, size: 54, bold: true });
    writeText(bitmap, "POSTAL BARCODE PRINTS HERE", { x: 290, y: 540, size: 30 });
    return;
  }
  const zip = /^\d{5,9}$/.test(shipTo.postal) ? shipTo.postal : "00000";
  const text = maxicodeText({
    zip,
    service: shipment.service,
    message: maxicodeMessage({ shipment, pack }),
  });
  drawMaxicode(bitmap, text, { x: 24, y: 424 });
  fillBox(bitmap, { x: 262, y: 405, width: 5, height: 235 });
  writeText(bitmap, `${shipTo.state} ${dashed(shipTo.postal)}`, { x: 300, y: 470, size: 54, bold: true });
  drawBars(bitmap, code128(postalText(shipTo)), { x: 320, y: 495, height: 125, module: 3 });
}

/** Postal code with its application identifier; GS1-128, so a scanner knows its meaning. */
export const postalText = ({ postal, country }: Party): string =>
  country === "US" || country === "PR" ? `^FNC1420${postal}` : `^FNC1421840${postal}`;

/** The carrier sorts by this symbol: place, service, number, reference, weight. */
export function maxicodeMessage({ shipment, pack }: LabelFacts): string {
  const { shipTo } = shipment;
  return [
    `1Z${pack.tracking.slice(-8)}`,
    "SIMU",
    shipment.account,
    "",
    `${pack.number}/${shipment.packageCount}`,
    String(Math.ceil(pack.weightLb)),
    "N",
    (shipTo.lines[0] ?? "").toUpperCase().slice(0, 14),
    shipTo.city.toUpperCase().slice(0, 12),
    shipTo.state,
  ]
    .join("\x1d")
    .replace(/[^\x1d\x20-\x7e]/g, "");
}

function drawCentered(bitmap: Bitmap, widths: readonly number[], at: { y: number; height: number }): void {
  const modules = widths.reduce((sum, each) => sum + each, 0);
  const module = (modules + 20) * 3 <= WIDTH ? 3 : 2;
  drawBars(bitmap, widths, { ...at, module, x: Math.floor((WIDTH - modules * module) / 2) });
}

/** The payer, as printed on the label. */
export function billingLine({ payer }: Shipment): string {
  if (payer.kind === "third_party") return `BILLING: P/P T/P ${payer.account} ${payer.country}`;
  if (payer.kind === "shipper") return "BILLING: P/P";
  return payer.kind === "receiver" ? `BILLING: F/C ${payer.account}` : "BILLING: CONS";
}

const NAMES: Readonly<Record<string, string>> = {
  PO: "PURCHASE NO.",
  IK: "INVOICE NO.",
  ON: "DEALER ORDER NO.",
  DP: "DEPARTMENT NO.",
  ST: "STORE NO.",
};

export const referenceLine = ({ code, value }: Reference, at: number): string =>
  `REF ${at + 1}: ${NAMES[code] ?? code} ${value}`;

function drawFoot(bitmap: Bitmap, { shipment, pack }: LabelFacts): void {
  writeText(bitmap, billingLine(shipment), { x: 24, y: 1014, size: 24 });
  pack.references.forEach((reference, at) =>
    writeText(bitmap, referenceLine(reference, at), { x: 24, y: 1040 + at * 26, size: 24 }),
  );
  const barred = pack.references.find(({ barcode }) => barcode);
  if (barred) drawBars(bitmap, code128(barred.value), { x: 40, y: 1074, height: 34, module: 2 });
  fillBox(bitmap, { x: 0, y: 1112, width: WIDTH, height: 4 });
  const notice = "SIMULATED, NOT FOR SHIPPING";
  const x = Math.floor((WIDTH - measureText(notice, 44)) / 2);
  writeText(bitmap, notice, { x, y: LABEL_HEIGHT - 36, size: 44, bold: true });
}
