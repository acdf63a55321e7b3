import { addressBands, orderBand, ssccBand, storeBand } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/** The common US retail carton label, zones A to I. */
export const generic: Profile = {
  id: "generic",
  name: "Generic UCC-128",
  required: [],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [...addressBands, orderBand(), storeBand, ssccBand],
};
