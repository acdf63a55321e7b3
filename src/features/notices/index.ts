export { bindNotices } from "#features/notices/handlers.ts";
export { notifyBy, type Notifying } from "#features/notices/jobs.ts";
export { listUnsentMails, removeMails } from "#features/notices/store.ts";
