import type { FastifyReply } from "fastify";
import { readEntries } from "#features/books/index.ts";
import {
  currentActor,
  currentCompany,
  currentUser,
  withAudit,
  type Caller,
} from "#features/companies/index.ts";
import { acceptUpload } from "#features/invoices/accept/accept-upload.ts";
import { allowDuplicates, checkAgain, dropCheck, postCheck } from "#features/invoices/check/change-check.ts";
import * as check from "#features/invoices/check/contract.ts";
import {
  listCheckErrors,
  listCheckInvoices,
  readCheckInvoice,
} from "#features/invoices/check/list-invoices.ts";
import { readCheck } from "#features/invoices/check/read-check.ts";
import * as contract from "#features/invoices/contract.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { answerUnresolved } from "#features/invoices/post/answer-unresolved.ts";
import { cancelUpload } from "#features/invoices/post/cancel-upload.ts";
import * as posting from "#features/invoices/post/contract.ts";
import * as receipt from "#features/invoices/receipt/contract.ts";
import { readReceipt } from "#features/invoices/receipt/read-receipt.ts";
import { listUnknownNames } from "#features/invoices/results/list-unknown-names.ts";
import { countWaiting, listUploadResults, listUploads } from "#features/invoices/results/list-uploads.ts";
import { writeProblemRows } from "#features/invoices/results/write-problem-rows.ts";
import { writeOwnTemplate } from "#features/invoices/template/write-own-template.ts";
import { SAMPLE_NAMES, writeSample } from "#features/invoices/template/write-samples.ts";
import * as undo from "#features/invoices/undo/contract.ts";
import { readUndo } from "#features/invoices/undo/read-undo.ts";
import { startUndo } from "#features/invoices/undo/start-undo.ts";
import * as columns from "#features/invoices/workbook/contract.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { sheetRoutes } from "#features/sheets/index.ts";
import { plainTemplate } from "#features/sheets/reading.ts";
import { attachment } from "#platform/http/attachment.ts";
import type { Mount } from "#platform/http/mount.ts";
import type { ServeRoute } from "#platform/http/serve-route.ts";

export function invoicesRoutes(mount: Mount<Caller>, ctx: InvoicesCtx): void {
  mount(contract.postInvoices, async ({ file, query }, call) =>
    acceptUpload(withAudit(ctx, call), currentCompany(call), {
      file,
      uploadedBy: currentActor(call),
      mode: query.mode,
      stage: "confirmed",
      fixes: null,
    }),
  );

  mount(contract.listUploads, async ({ query }, call) => {
    const knownEtag = call.request.headers["if-none-match"];
    const { limit, before = null, search = null } = query;
    const page = { limit, before, search, knownEtag };
    const listed = await listUploads(ctx, currentCompany(call).realmId, page);
    void call.reply.header("ETag", listed.etag);
    return listed.list ?? call.reply.code(304).send();
  });

  mount(contract.countWaiting, async (_input, call) => countWaiting(ctx, currentCompany(call).realmId));

  mount(contract.listUploadResults, async ({ params, query }, call) =>
    listUploadResults(ctx, currentCompany(call).realmId, {
      uploadId: params.upload_id,
      filter: query.filter,
    }),
  );

  mount(contract.listUnknownNames, async ({ params, query: { after, limit } }, call) =>
    listUnknownNames(ctx, { realmId: currentCompany(call).realmId, id: params.upload_id }, { after, limit }),
  );

  mount(contract.downloadProblemRows, async ({ params }, call) => {
    const { name, bytes } = await writeProblemRows(ctx, currentCompany(call).realmId, params.upload_id);
    return sendWorkbook(call.reply, { plain: "problem-rows.xlsx", name, bytes });
  });

  mount(contract.downloadTemplate, async (_input, call) => {
    const { name, bytes } = await writeOwnTemplate(ctx, currentCompany(call).realmId);
    return sendWorkbook(call.reply, { plain: "invoice-upload.xlsx", name, bytes });
  });

  checkRoutes(mount, ctx);
  mount(receipt.readReceipt, async ({ params, query }, call) =>
    readReceipt(ctx, currentCompany(call), { uploadId: params.upload_id, ...query }),
  );

  mount(undo.previewUndo, async ({ params }, call) =>
    readUndo(ctx, currentCompany(call).realmId, params.upload_id),
  );

  mount(undo.startUndo, async ({ params, body }, call) => ({
    run: await startUndo(withAudit(ctx, call), currentCompany(call), {
      uploadId: params.upload_id,
      action: body.action,
      requestedBy: currentUser(call).email,
    }),
  }));

  mount(posting.cancelUpload, ({ params }, call) =>
    cancelUpload(withAudit(ctx, call), currentCompany(call).realmId, {
      uploadId: params.upload_id,
      by: currentUser(call).email,
    }),
  );
  mount(posting.answerUnresolved, ({ params, body }, call) =>
    answerUnresolved(withAudit(ctx, call), currentCompany(call).realmId, {
      uploadId: params.upload_id,
      seq: params.seq,
      isInBooks: body.is_in_books,
      requestedBy: currentUser(call).email,
    }),
  );

  sheetRoutes(mount, ctx, {
    endpoints: columns,
    sheet: invoiceSheet,
    module: new URL("./workbook/inspect-columns.ts", import.meta.url),
    // Suggestions only: while QuickBooks can't be read, users type a name.
    listNames: async (realmId) => {
      const items = await readEntries(ctx, realmId, "item").catch(() => []);
      return items.map(({ name }) => name);
    },
  });
}

function checkRoutes(mount: Mount<Caller>, ctx: InvoicesCtx): void {
  mount(check.checkInvoices, async ({ file, query }, call) =>
    acceptUpload(withAudit(ctx, call), currentCompany(call), {
      file,
      uploadedBy: currentActor(call),
      mode: query.mode,
      stage: "checking",
      fixes: query.fixes ?? null,
    }),
  );

  mount(check.readCheck, async ({ params }, call) =>
    readCheck(ctx, currentCompany(call).realmId, params.upload_id),
  );

  mount(check.listCheckInvoices, async ({ params }, call) =>
    listCheckInvoices(ctx, uploadFrom(call, params)),
  );

  mount(check.readCheckInvoice, async ({ params }, call) =>
    readCheckInvoice(ctx, uploadFrom(call, params), params.seq),
  );

  mount(check.listCheckErrors, async ({ params, query }, call) =>
    listCheckErrors(ctx, uploadFrom(call, params), query),
  );

  mount(check.checkAgain, (input, call) => checkAgain(withAudit(ctx, call), seenBy(call, input), input.body));

  mount(check.postCheck, (input, call) => postCheck(withAudit(ctx, call), seenBy(call, input)));

  mount(check.allowDuplicates, (input, call) => allowDuplicates(withAudit(ctx, call), seenBy(call, input)));

  mount(check.dropCheck, ({ params }, call) =>
    dropCheck(withAudit(ctx, call), currentCompany(call).realmId, params.upload_id),
  );
}

const uploadFrom = (call: { caller: Caller }, { upload_id: id }: { upload_id: string }) => ({
  realmId: currentCompany(call).realmId,
  id,
});

type Seen = { params: { upload_id: string }; query: { revision: number } };

/** The check as the user saw it, and the user. */
const seenBy = (call: { caller: Caller }, { params, query }: Seen) => ({
  realmId: currentCompany(call).realmId,
  id: params.upload_id,
  revision: query.revision,
  requestedBy: currentUser(call).email,
});

/** @param workbook `plain` is its name for clients that support only ASCII */
function sendWorkbook(
  reply: FastifyReply,
  { plain, name, bytes }: { plain: string; name: string; bytes: Uint8Array },
): FastifyReply {
  return reply
    .type(XLSX_MEDIA_TYPE)
    .header("Content-Disposition", attachment(name, plain))
    .send(Buffer.from(bytes));
}

/** Workbooks to download: the template, and with simulators the samples. */
export function templateRoutes(
  serveRoute: ServeRoute,
  { ctx, withSamples }: { ctx: InvoicesCtx; withSamples: boolean },
): void {
  const send = async (reply: FastifyReply, workbook: Promise<Uint8Array>) =>
    reply
      .type(XLSX_MEDIA_TYPE)
      .header("Cache-Control", "public, max-age=3600")
      .send(Buffer.from(await workbook));
  serveRoute({ method: "GET", path: "/templates/invoice-upload.xlsx" }, (_request, reply) =>
    send(reply, plainTemplate(invoiceSheet)),
  );
  if (!withSamples) return;
  for (const name of SAMPLE_NAMES) {
    serveRoute({ method: "GET", path: `/templates/samples/${name}.xlsx` }, (_request, reply) =>
      send(reply, writeSample(name, ctx.clock.now())),
    );
  }
}
