const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const number = new Intl.NumberFormat();
const zone = new Intl.DateTimeFormat(undefined).resolvedOptions().timeZone;

/** Local date and time by the browser's locale. @param iso ISO 8601 time */
export function formatDateTime(iso: string): string {
  return dateTime.format(new Date(iso));
}

/** Time zone the local times are in, for example "Europe/Paris". */
export function timeZone(): string {
  return zone;
}

/** Whole number with the locale's separators. */
export function formatCount(count: number): string {
  return number.format(count);
}

const sizes = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Size of a file in words. @param bytes */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${formatCount(bytes)} bytes`;
  if (bytes < 1024 * 1024) return `${sizes.format(bytes / 1024)} kB`;
  return `${sizes.format(bytes / 1024 / 1024)} MB`;
}
