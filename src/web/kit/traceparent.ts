/**
 * Makes a new trace for a call, which the server continues in its log, its runs and its calls of vendors. It names a call and
 * protects nothing, so it needs no `crypto`, which some browsers don't have here.
 * @see W3C Trace Context, "traceparent Header"
 */
export function newTraceparent(): string {
  const hex = Array.from({ length: 48 }, () => Math.floor(Math.random() * 16).toString(16)).join("");
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-01`;
}
