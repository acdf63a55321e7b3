import { addressBands, barcodeBand, orderBand, ssccBand } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/**
 * The public guide (swinglabels.com, Barnes & Noble) requires the PO under (400), zero-filled to nine digits,
 * the destination as a GLN under (410), and a quarter inch of quiet zone on each side of a barcode.
 */
export const barnesNoble: Profile = {
  id: "barnes-noble",
  name: "Barnes & Noble",
  required: ["markFor"],
  markForDigits: null,
  quietMm: 6.35,
  copies: 1,
  bands: [
    ...addressBands,
    orderBand({ item: "Item" }),
    barcodeBand("ORDER NUMBER", { of: "poNumber", ai: "400", digits: 9, height: 37 }),
    // A GLN barcode is too wide to stand beside the store number in large type.
    {
      height: 60,
      when: "markFor",
      zones: [{ letter: "G", width: 288, title: "FOR", symbol: { of: "markFor", ai: "410", height: 37 } }],
    },
    ssccBand,
  ],
};
