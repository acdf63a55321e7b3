export {
  auditBy,
  findEntries,
  wasDoneSince,
  type Audited,
  type Entry,
  type Place,
} from "#features/audit/store.ts";
export { verifyTrails } from "#features/audit/verify-trail.ts";
