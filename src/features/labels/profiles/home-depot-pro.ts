import { addressBands, barcodeBand, orderBand, ssccBand } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/**
 * The Pro division scans item and purchase order in plain Code 128 and wants the label on two sides of the
 * carton, with the same SSCC (ediacademy.com). Quantity, unit and vendor part are text: a 4 × 6 in label has
 * no space for five barcodes.
 */
export const homeDepotPro: Profile = {
  id: "home-depot-pro",
  name: "Home Depot Pro",
  required: ["item", "vendor"],
  markForDigits: null,
  quietMm: 0,
  copies: 2,
  bands: [
    ...addressBands,
    orderBand({ item: "Item" }),
    barcodeBand("ITEM", { of: "item", as: "code128", height: 37 }),
    barcodeBand("PURCHASE ORDER", { of: "poNumber", as: "code128", height: 37 }),
    ssccBand,
  ],
};
