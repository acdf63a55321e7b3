import { dpci } from "#features/labels/profiles/dpci.ts";
import { generic } from "#features/labels/profiles/generic.ts";
import { homeImprovement } from "#features/labels/profiles/home-improvement.ts";
import type { Profile } from "#features/labels/types.ts";

/** Profiles that a company chooses from. */
export const PROFILES: readonly Profile[] = [generic, homeImprovement, dpci];

export const findProfile = (id: string): Profile | undefined => PROFILES.find((profile) => profile.id === id);
