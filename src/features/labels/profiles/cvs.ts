import { addressBands, orderBand, ssccBand, storeBand } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/** The routing guide is not public. This is the generic label, which shows lot and expiration date. */
export const cvs: Profile = {
  id: "cvs",
  name: "CVS",
  required: ["item"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [...addressBands, orderBand(), storeBand, ssccBand],
};
