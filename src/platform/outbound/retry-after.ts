/**
 * Reads the header Retry-After, as seconds or as a date by the answer's own clock, which may differ from ours.
 * @param retryAfter the header; any other value than the two is ignored, which would parse as a date long past
 * @param date the answer's header Date
 * @returns seconds, at least 0; undefined if the answer names no time
 * @see RFC 9110, 10.2.3
 */
export function readRetryAfter(retryAfter = "", date = ""): number | undefined {
  const value = retryAfter.trim();
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value));
  if (!value.endsWith(" GMT")) return undefined;
  const seconds = Math.ceil((Date.parse(value) - Date.parse(date)) / 1000);
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : undefined;
}
