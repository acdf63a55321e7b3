import type { Tone } from "#web/theme/colors.ts";
import { Check, CircleAlert, Clock, Info, type LucideIcon, TriangleAlert } from "lucide-react";

/** The picture that goes with each tone, so that color alone says nothing. */
export const toneIcons: Readonly<Record<Tone, LucideIcon>> = {
  grey: Check,
  red: CircleAlert,
  amber: TriangleAlert,
  blue: Info,
  green: Clock,
};
