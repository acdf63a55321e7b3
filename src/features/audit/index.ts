export { auditBy, type Audited } from "#features/audit/record-action.ts";
export { findEntries, type Entry, type Place } from "#features/audit/store-entries.ts";
export { verifyTrails } from "#features/audit/verify-trail.ts";
