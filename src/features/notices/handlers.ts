import { sendMailJob } from "#features/notices/jobs.ts";
import { sendMail, type NoticesCtx } from "#features/notices/send-mail.ts";
import { bindJob, type BoundJob } from "#platform/jobs/define-job.ts";

export const bindNotices = (ctx: NoticesCtx): BoundJob[] => [bindJob(sendMailJob, sendMail, ctx)];
