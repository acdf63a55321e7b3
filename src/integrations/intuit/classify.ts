import type { IntuitErrorKind, IntuitFault } from "#integrations/intuit/errors.ts";

/**
 * @see Intuit's page of error codes; 6140 is about a number, 6240 about a name, which other sources confuse
 */
const KIND_BY_CODE: Record<string, IntuitErrorKind> = {
  "100": "auth",
  "110": "auth",
  "120": "reconnect",
  "130": "environment",
  "140": "system",
  "150": "system",
  // "Unsupported operation", returned for a wrong path and also in outages.
  "500": "system",
  // The same requestid is still being processed; its outcome is not known yet.
  "600": "uncertain",
  "610": "notFound",
  "1040": "bug",
  "2010": "bug",
  "2170": "bug",
  "2500": "badReference",
  "3001": "throttled",
  "003001": "throttled",
  "3100": "reconnect",
  "3200": "auth",
  "4000": "bug",
  "4001": "bug",
  "4002": "bug",
  "5010": "stale",
  "5020": "plan",
  "5030": "plan",
  "6070": "bug",
  "6140": "duplicateDoc",
  "6190": "subscription",
  "6200": "closedBooks",
  "6210": "closedBooks",
  "6240": "duplicateName",
  "6250": "badReference",
  "10000": "system",
};

/**
 * Classifies Intuit's own faults for the caller. An outage may carry any code: 3100 and 120 with status 500
 * have been seen. One system fault makes all entries an outage. Otherwise the first known code decides, else
 * the status.
 */
export function classifyFaults(faults: readonly IntuitFault[], http: number): IntuitErrorKind {
  if (http >= 500 || faults.some((fault) => isOutage(fault, http))) return "system";
  const known = faults.map((fault) => KIND_BY_CODE[fault.code]).find((kind) => kind !== undefined);
  if (known === "throttled" && faults.some(isQuota)) return "quota";
  return known ?? KIND_BY_STATUS[http] ?? (http > 400 ? "bug" : "validation");
}

const KIND_BY_STATUS: Record<number, IntuitErrorKind> = { 401: "auth", 403: "permission", 429: "throttled" };

/**
 * Whether a fault means that Intuit failed. Messages of the gateway quote its status, as in
 * "errorCode=000120; statusCode=500". An unknown code refuses a write only in the ranges of refusals: 2000 to
 * 2999, 5000 to 6999, or in a ValidationFault; with any other code, the write may have been done.
 */
function isOutage({ code, type, message }: IntuitFault, http: number): boolean {
  if (/statusCode=5\d\d\b/.test(message)) return true;
  const known = KIND_BY_CODE[code];
  if (known) return known === "system";
  if (type === "SystemFault") return true;
  return KIND_BY_STATUS[http] === undefined && type !== "ValidationFault" && !/^[256]\d{3}$/.test(code);
}

/**
 * Classifies an answer without an Intuit fault: it came from a proxy or gateway, so it says nothing about
 * tokens or permissions.
 */
export function classifyForeign(http: number): IntuitErrorKind {
  if (http === 429) return "throttled";
  return http >= 500 ? "system" : "network";
}

/**
 * Intuit answers a spent monthly quota like a per-minute limit; only the text differs. Other faults quote
 * texts of users.
 */
const isQuota = (fault: IntuitFault) => /quota|monthly|per month/i.test(`${fault.message} ${fault.detail}`);
