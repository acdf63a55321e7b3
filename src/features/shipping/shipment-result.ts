import type { Charge } from "#features/shipping/tables.ts";
import { UnreadableLabel } from "#formats/carrier-label/picture.ts";
import { readTrackingNumber } from "#formats/carrier-label/read-tracking-number.ts";
import type { RecoverAnswer } from "#integrations/ups/recover-labels.ts";
import type { LabelImage } from "#integrations/ups/wire.ts";

/** Labels of a shipment as UPS has them. */
export type ShipmentResult = {
  number: string;
  labels: readonly { trackingNumber: string; image: Picture }[];
  charge: Charge | null;
};

/** A label in a format that we store and print. UPS's own PDF is never requested. */
type Picture = LabelImage & { format: "GIF" | "PNG" | "ZPL" };

/** UPS's test environment masks tracking numbers and prints labels without barcodes. */
const MASKED = /^1ZX{16}$/;

/** True if the label's barcode has the tracking number that UPS returned for it. */
export function isUsableLabel(image: LabelImage, trackingNumber: string): image is Picture {
  if (MASKED.test(trackingNumber)) return image.format !== "PDF";
  try {
    return image.format !== "PDF" && readTrackingNumber(image.bytes) === trackingNumber;
  } catch (error) {
    if (error instanceof UnreadableLabel) return false;
    throw error;
  }
}

/** @returns null when a label is missing or unreadable */
export function toRecovered({
  shipmentId,
  packages,
}: Extract<RecoverAnswer, { state: "found" }>): ShipmentResult | null {
  const labels = packages.flatMap(({ trackingNumber, label }) =>
    label && isUsableLabel(label, trackingNumber) ? [{ trackingNumber, image: label }] : [],
  );
  return labels.length === packages.length ? { number: shipmentId, labels, charge: null } : null;
}
