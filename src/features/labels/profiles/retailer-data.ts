import {
  addressBands,
  barcodeBand,
  orderBand,
  ssccBand,
  storeText,
} from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/**
 * For retailers that use their own data under (91); the store is text then, because a label has each
 * identifier only once.
 */
export const retailerData: Profile = {
  id: "retailer-data",
  name: "Generic with retailer data",
  required: ["retailerData"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [
    ...addressBands,
    orderBand(),
    barcodeBand("RETAILER DATA", { of: "retailerData", height: 37 }),
    storeText(),
    ssccBand,
  ],
};
