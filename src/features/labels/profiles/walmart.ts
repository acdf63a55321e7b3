import { addressBands, barcodeBand, orderBand, ssccBand } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/**
 * Case label for domestic shipments. The public list of its fields (docs.orderful.com, Walmart label
 * requirements) has the DC number, PO type, department and item as text; the Supply Chain Standards of 2022
 * require an SSCC on each pallet, and (01) with lot and date on fresh goods. They don't mention a DC barcode,
 * so there is none.
 */
export const walmart: Profile = {
  id: "walmart",
  name: "Walmart",
  required: ["markFor", "poType", "department", "item"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [
    ...addressBands,
    orderBand({
      more: [
        { caption: "DC", text: "{markFor}", size: 12, bold: true },
        { caption: "PO type", text: "{poType}", size: 9 },
      ],
    }),
    barcodeBand("GTIN", { of: "gtin", ai: "01", height: 37 }, "lot"),
    barcodeBand("LOT AND DATES", { of: "batch", height: 37 }, "lot"),
    ssccBand,
  ],
};
