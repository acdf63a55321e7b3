import {
  addressBands,
  barcodeBand,
  orderBand,
  ssccBand,
  storeText,
} from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/**
 * The Barcode Guidelines require an ITF-14 on each carton with a standard multiple of one item, and a
 * quantity printed as large as possible. They don't mention a store barcode, so its number is text.
 */
export const lowes: Profile = {
  id: "lowes",
  name: "Lowe's",
  required: ["item"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [
    ...addressBands,
    orderBand({
      counts: [
        { text: "{qty}", size: 20, bold: true },
        { caption: "Carton", text: "{cartonOf}", size: 10 },
        { caption: "Pallet", text: "{pallet}", size: 9 },
        { caption: "Vendor", text: "{vendor}", size: 10 },
      ],
    }),
    barcodeBand("GTIN", { of: "gtin", as: "itf14", height: 37 }, "gtin"),
    storeText(),
    ssccBand,
  ],
};
