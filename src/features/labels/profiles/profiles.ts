import {
  albertsons,
  cvs,
  generic,
  grocery,
  kroger,
  retailerData,
} from "#features/labels/profiles/generic-profiles.ts";
import {
  amazon,
  barnesNoble,
  costco,
  homeDepot,
  homeDepotPro,
  lowes,
  target,
  walgreens,
  walmart,
} from "#features/labels/profiles/retailer-profiles.ts";
import type { Profile } from "#features/labels/types.ts";

/** Profiles to choose from: the generic ones, then retailers by name. */
export const PROFILES: readonly Profile[] = [
  generic,
  retailerData,
  grocery,
  albertsons,
  amazon,
  barnesNoble,
  costco,
  cvs,
  homeDepot,
  homeDepotPro,
  kroger,
  lowes,
  target,
  walgreens,
  walmart,
];

export const findProfile = (id: string): Profile | undefined => PROFILES.find((profile) => profile.id === id);
