export {
  auditBy,
  findEntries,
  wasDoneSince,
  type Audited,
  type Entry,
  type Place,
} from "#features/audit/store.ts";
