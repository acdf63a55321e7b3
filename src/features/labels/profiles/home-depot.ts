import {
  addressBands,
  barcodeBand,
  orderBand,
  ssccBand,
  storeBand,
} from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/**
 * The Barcode Specifications of April 2017 require an ITF-14 on the carton and a GS1-128 label with zones.
 * The zone sizes are behind a login, so those of the generic label are used. Home Depot certifies live
 * samples from each ship point.
 */
export const homeDepot: Profile = {
  id: "home-depot",
  name: "Home Depot",
  required: ["markFor", "item"],
  markForDigits: 4,
  quietMm: 0,
  copies: 1,
  bands: [
    ...addressBands,
    orderBand({ item: "SKU" }),
    barcodeBand("GTIN", { of: "gtin", as: "itf14", height: 37 }, "gtin"),
    storeBand,
    ssccBand,
  ],
};
