import { addressBands, orderBand, ssccBand, storeBand } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/**
 * Target numbers items by DPCI: department, class and item. Its SSCC-18 Carton Label Guidelines are behind a login, so zones
 * are those of the generic label.
 */
export const target: Profile = {
  id: "target",
  name: "Target",
  required: ["markFor", "item", "department"],
  markForDigits: 4,
  quietMm: 0,
  copies: 1,
  bands: [...addressBands, orderBand({ item: "DPCI" }), storeBand, ssccBand],
};
