/**
 * Makes a new trace for a call, which the server continues in its log, its runs and its calls of vendors.
 * @see W3C Trace Context, "traceparent Header"
 */
export function newTraceparent(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(24))];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-01`;
}
