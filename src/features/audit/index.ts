export { auditBy, type Audited } from "#features/audit/record-action.ts";
