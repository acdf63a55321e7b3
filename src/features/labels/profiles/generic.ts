import { standardBands } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

export const generic: Profile = {
  id: "generic",
  name: "Generic UCC-128",
  required: [],
  markForDigits: null,
  quietMm: 0,
  bands: standardBands(),
};
