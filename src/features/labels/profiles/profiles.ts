import { albertsons } from "#features/labels/profiles/albertsons.ts";
import { amazon } from "#features/labels/profiles/amazon.ts";
import { barnesNoble } from "#features/labels/profiles/barnes-noble.ts";
import { costco } from "#features/labels/profiles/costco.ts";
import { cvs } from "#features/labels/profiles/cvs.ts";
import { generic } from "#features/labels/profiles/generic.ts";
import { grocery } from "#features/labels/profiles/grocery.ts";
import { homeDepotPro } from "#features/labels/profiles/home-depot-pro.ts";
import { homeDepot } from "#features/labels/profiles/home-depot.ts";
import { kroger } from "#features/labels/profiles/kroger.ts";
import { lowes } from "#features/labels/profiles/lowes.ts";
import { retailerData } from "#features/labels/profiles/retailer-data.ts";
import { target } from "#features/labels/profiles/target.ts";
import { walgreens } from "#features/labels/profiles/walgreens.ts";
import { walmart } from "#features/labels/profiles/walmart.ts";
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
