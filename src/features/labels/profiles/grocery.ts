import { addressBands, batchBands, orderBand, ssccBand } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/**
 * Food that must be traceable by lot: item, count, lot and dates as barcodes. FSMA 204 requires the lot of
 * each case. Beside a date, the barcode has space for a lot of 6 letters or 12 digits; a row with a longer
 * one is refused.
 */
export const grocery: Profile = {
  id: "grocery",
  name: "Generic grocery",
  required: ["gtin"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [...addressBands, orderBand(), ...batchBands, ssccBand],
};
