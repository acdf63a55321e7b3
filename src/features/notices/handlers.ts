import { sendMailRun } from "#features/notices/runs.ts";
import { sendMail, type NoticesCtx } from "#features/notices/send-mail.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";

export const noticeRuns = (ctx: NoticesCtx): BoundRun[] => [bindRun(sendMailRun, sendMail, ctx)];
