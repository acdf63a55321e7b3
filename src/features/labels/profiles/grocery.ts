import { addressBands, batchBands, orderBand, ssccBand } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/**
 * Food that must be traceable by lot: item, count, lot and dates as barcodes. FSMA 204 asks for the lot of each case.
 * Next to a date the barcode has room for a lot of 6 letters or 12 digits; a longer one is refused with its row.
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
