import type { LucideIcon } from "lucide-react";

const looks = {
  small: { size: 15, strokeWidth: 2 },
  medium: { size: 18, strokeWidth: 1.75 },
  large: { size: 28, strokeWidth: 1.5 },
} as const;

type Props = { of: LucideIcon; size?: keyof typeof looks | number; color?: string };

/** A picture beside words that say the same; nothing reads it out. */
export function Icon({ of: Picture, size = "medium", color = "currentColor" }: Props) {
  const look = typeof size === "number" ? { size, strokeWidth: 2.25 } : looks[size];
  return (
    <Picture {...look} color={color} aria-hidden="true" style={{ flex: "none", verticalAlign: "-0.2em" }} />
  );
}
