export { findMailedInvitation, forgetMails, notifyBy, type Notifying } from "#features/notices/runs.ts";
export { resendMail } from "#features/notices/send-mail.ts";
export { noticeRuns } from "#features/notices/send-mail.ts";
export { listUnsentMails } from "#features/notices/store.ts";
