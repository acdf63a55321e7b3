import { addressBands, batchBands, orderBand, ssccBand } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/** The routing guide is not public. This is the generic grocery label. */
export const albertsons: Profile = {
  id: "albertsons",
  name: "Albertsons",
  required: ["gtin"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [...addressBands, orderBand(), ...batchBands, ssccBand],
};
