import { standardBands } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

export const dpci: Profile = {
  id: "dpci",
  name: "DPCI retailer",
  required: ["markFor", "item", "department"],
  markForDigits: 4,
  quietMm: 0,
  bands: standardBands({ item: "DPCI" }),
};
