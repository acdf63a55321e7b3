const zoned = {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
} as const;

const ofThisYear = new Intl.DateTimeFormat(undefined, zoned);
const ofOtherYears = new Intl.DateTimeFormat(undefined, { ...zoned, year: "numeric" });

/**
 * Formats local date and time with their zone, and with the year unless it is the current one:
 * "Nov 28, 10:21 AM EST", "Nov 28, 2025, 10:21 AM EST". @param iso ISO 8601 time
 */
export function formatZoned(iso: string): string {
  const at = new Date(iso);
  return (at.getFullYear() === new Date().getFullYear() ? ofThisYear : ofOtherYears).format(at);
}
