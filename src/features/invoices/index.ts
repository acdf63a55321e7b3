export type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
export { postUploadJob } from "#features/invoices/jobs.ts";
export { resumeUploads } from "#features/invoices/resume-uploads.ts";
export { invoicesRoutes } from "#features/invoices/routes.ts";
export { templateRoutes } from "#features/invoices/routes-templates.ts";
