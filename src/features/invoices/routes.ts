import type { FastifyReply } from "fastify";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { currentActor, currentCompany, withAudit, type Caller } from "#features/companies/index.ts";
import { attachment } from "#platform/http/attachment.ts";
import type { Mount } from "#platform/http/mount.ts";
import type { ServeRoute } from "#platform/http/serve-route.ts";
import { acceptUpload } from "#features/invoices/accept/accept-upload.ts";
import * as contract from "#features/invoices/contract.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { listUnknownNames } from "#features/invoices/results/list-unknown-names.ts";
import { listUploadResults, listUploads } from "#features/invoices/results/list-uploads.ts";
import { writeOwnTemplate } from "#features/invoices/template/write-own-template.ts";
import { writeProblemRows } from "#features/invoices/results/write-problem-rows.ts";
import { SAMPLE_NAMES, writeSample } from "#features/invoices/template/write-samples.ts";
import { plainTemplate } from "#features/sheets/reading.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";

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
}

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
