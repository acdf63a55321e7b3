export { noticeRuns } from "#features/notices/handlers.ts";
export { forgetMails, notifyBy, type Notifying } from "#features/notices/runs.ts";
export { listUnsentMails } from "#features/notices/store.ts";
