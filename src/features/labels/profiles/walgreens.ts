import { addressBands, orderBand, ssccBand, storeBand } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/**
 * The public list of its fields (docs.orderful.com, Walgreens label requirements) has store number, carrier, bill of lading, PRO,
 * weight, PO and vendor number, all of them required.
 */
export const walgreens: Profile = {
  id: "walgreens",
  name: "Walgreens",
  required: ["markFor", "bol", "pro", "vendor", "weight"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [
    ...addressBands,
    orderBand({ more: [{ caption: "Weight (lb)", text: "{weight}", size: 10 }] }),
    storeBand,
    ssccBand,
  ],
};
