export { choicesRoutes } from "#features/invoices/choices/routes.ts";
export { checkRoutes } from "#features/invoices/check/routes.ts";
export type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
export { postUploadJob } from "#features/invoices/jobs.ts";
export { receiptRoutes } from "#features/invoices/receipt/routes.ts";
export { resumeUploads } from "#features/invoices/resume-uploads.ts";
export { invoicesRoutes, templateRoutes } from "#features/invoices/routes.ts";
export { undoUploadJob } from "#features/invoices/undo/jobs.ts";
export { undoRoutes } from "#features/invoices/undo/routes.ts";
