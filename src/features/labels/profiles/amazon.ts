import { addressBands, barcodeBand, orderBand, ssccBand } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/**
 * Vendor carton label. The Prep and Transportation Manual of 2016 requires ship from, ship to, the PO as a
 * plain Code 128 barcode, quantity, carton n of m and the SSCC; expiration dates and lots as text; and "Mixed
 * SKUs" on mixed cartons. Since July 2024 each pallet has an SSCC too. An Amazon PO has eight characters.
 */
export const amazon: Profile = {
  id: "amazon",
  name: "Amazon (vendors)",
  required: [],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  mixed: "Mixed SKUs",
  bands: [
    ...addressBands,
    orderBand({ item: "SKU" }),
    barcodeBand("PURCHASE ORDER", { of: "poNumber", as: "code128", height: 37 }),
    ssccBand,
  ],
};
