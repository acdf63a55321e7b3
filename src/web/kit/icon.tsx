import { type LucideIcon, Check, CircleAlert, Clock, Info, TriangleAlert } from "lucide-react";
import type { Tone } from "#web/theme/colors.ts";

const looks = {
  small: { size: 15, strokeWidth: 2 },
  medium: { size: 18, strokeWidth: 1.75 },
  large: { size: 28, strokeWidth: 1.5 },
} as const;

type Props = { of: LucideIcon; size?: keyof typeof looks | number; color?: string };

/** An icon beside text with the same meaning; screen readers skip it. */
export function Icon({ of: Picture, size = "medium", color = "currentColor" }: Props) {
  const look = typeof size === "number" ? { size, strokeWidth: 2.25 } : looks[size];
  return (
    <Picture {...look} color={color} aria-hidden="true" style={{ flex: "none", verticalAlign: "-0.2em" }} />
  );
}

/** Icon of each tone, so that color is never the only signal. */
export const toneIcons: Readonly<Record<Tone, LucideIcon>> = {
  gray: Check,
  red: CircleAlert,
  amber: TriangleAlert,
  blue: Info,
  green: Clock,
};
