import { addressBands, batchBands, orderBand, ssccBand } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/**
 * Kroger requires suppliers of all food to provide traceability by lot, on cases and pallets (FSMA 204). Its
 * container labeling requirements are behind a login; this is the generic grocery label.
 */
export const kroger: Profile = {
  id: "kroger",
  name: "Kroger",
  required: ["gtin", "vendor"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [...addressBands, orderBand(), ...batchBands, ssccBand],
};
