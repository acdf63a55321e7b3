import { standardBands } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

export const homeImprovement: Profile = {
  id: "home-improvement",
  name: "Home improvement retailer",
  required: ["markFor", "item"],
  markForDigits: 4,
  quietMm: 0,
  bands: standardBands({ item: "SKU" }),
};
