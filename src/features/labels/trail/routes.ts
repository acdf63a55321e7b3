import { Readable } from "node:stream";
import { currentCompany, type Caller } from "#features/companies/index.ts";
import { attachment } from "#platform/http/attachment.ts";
import type { Call, Mount } from "#platform/http/mount.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import * as contract from "#features/labels/trail/contract.ts";
import { exportCartons } from "#features/labels/trail/export-cartons.ts";
import { exportSsccs, exportSsccWorkbook } from "#features/labels/trail/export-ssccs.ts";
import { printVerification } from "#features/labels/trail/print-verification.ts";
import { verifyLabels } from "#features/labels/trail/verify-labels.ts";

/** What was given and printed, to be looked up, proven, and passed on. */
export function trailRoutes(mount: Mount<Caller>, ctx: LabelsCtx): void {
  const idOf = (call: Call<Caller>, id: string) => ({ realmId: currentCompany(call).realmId, id });

  mount(contract.exportSsccs, async (_input, call) => {
    const content = Readable.from(exportSsccs(ctx.db, currentCompany(call).realmId));
    return send(call, { name: "ssccs.csv", type: CSV, content });
  });

  mount(contract.exportSsccWorkbook, async (_input, call) => {
    const content = Readable.from(exportSsccWorkbook(ctx.db, currentCompany(call).realmId));
    return send(call, { name: "ssccs.xlsx", type: contract.exportSsccWorkbook.response.mediaType, content });
  });

  mount(contract.exportCartons, async ({ params: { upload_id: id, format } }, call) => {
    const { name, content } = await exportCartons(ctx, idOf(call, id), format);
    return send(call, { name, type: TYPES[format], content: Readable.from(content) });
  });

  mount(contract.verifyLabels, ({ params }, call) => verifyLabels(ctx, idOf(call, params.upload_id)));

  mount(contract.printVerification, async ({ params }, call) => {
    const { name, content } = await printVerification(ctx, idOf(call, params.upload_id));
    return send(call, { name, type: "application/pdf", content: Readable.from(content) });
  });
}

const CSV = "text/csv; charset=utf-8";
const TYPES = { csv: CSV, json: "application/json; charset=utf-8", edi: "application/edi-x12" } as const;

type Document = { name: string; type: string; content: Readable };

const send = (call: Call<Caller>, { name, type, content }: Document) =>
  call.reply
    .type(type)
    .header("Content-Disposition", attachment(name, `labels${/\.\w+$/.exec(name)?.[0] ?? ""}`))
    .send(content);
