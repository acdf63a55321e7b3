import { DOCUMENT_OF_HEADER } from "#contract/files.ts";
import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/index.ts";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { sheetRoutes } from "#features/sheets/index.ts";
import { plainTemplate } from "#features/sheets/reading.ts";
import type { ChangeFeed } from "#platform/events/change-feed.ts";
import { attachment } from "#platform/http/attachment.ts";
import type { Call, Mount } from "#platform/http/mount.ts";
import type { ServeRoute } from "#platform/http/serve-route.ts";
import * as contract from "#features/labels/contract.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { changeLabelSettings, readLabelSettings } from "#features/labels/settings.ts";
import { labelSheet } from "#features/labels/sheet.ts";
import { exportSsccs } from "#features/labels/uploads/export.ts";
import {
  printLabels,
  printNewLabels,
  showLabel,
  writeTestPage,
  type LabelDocument,
} from "#features/labels/uploads/print.ts";
import { reviewLabels, writeProblemRows } from "#features/labels/uploads/review.ts";
import {
  requireLabels,
  acceptSheet,
  listUploads,
  readUpload,
  waitForLabels,
  withoutEnding,
} from "#features/labels/uploads/upload.ts";

export function labelsRoutes(mount: Mount<Caller>, ctx: LabelsCtx & { changes: ChangeFeed }): void {
  const uploadIn = (call: Call<Caller>, id: string) => ({ realmId: currentCompany(call).realmId, id });

  mount(contract.createLabels, async ({ file, query, body }, call) => {
    const { cells, print_id: id = ctx.ids.uuid(), ...choices } = body;
    const { id: userId, email: uploadedBy } = currentUser(call);
    const request = { rows: query.rows, cells, choices, userId, callId: call.request.id };
    const gone = new AbortController();
    // Registered before the sheet is stored, because the caller may hang up meanwhile.
    call.reply.raw.once("close", () => gone.abort());
    await acceptSheet(ctx, currentCompany(call), { file, id, uploadedBy, request });
    const made = await waitForLabels(ctx, uploadIn(call, id), gone.signal);
    if (made !== null) return send(call, await printNewLabels(ctx, uploadIn(call, made), choices));
    return call.reply.code(202).send(contract.createLabels.accepted.parse({ upload_id: id }));
  });

  mount(contract.readLabelUpload, ({ params }, call) => readUpload(ctx, uploadIn(call, params.upload_id)));

  mount(contract.listLabelUploads, (_input, call) => listUploads(ctx, currentCompany(call).realmId));

  mount(contract.reviewLabels, ({ file, body: { cells, ...choices } }, call) =>
    reviewLabels(ctx, currentCompany(call), { file, cells, choices }),
  );

  mount(contract.downloadProblemRows, async ({ file, body: { cells, ...choices } }, call) => {
    const { name, bytes } = await writeProblemRows(ctx, currentCompany(call), { file, cells, choices });
    return call.reply
      .type(XLSX_MEDIA_TYPE)
      .header("Content-Disposition", attachment(name, "problem-rows.xlsx"))
      .send(Buffer.from(bytes));
  });

  mount(contract.printLabels, async ({ params, body }, call) => {
    const id = uploadIn(call, params.upload_id);
    const by = currentUser(call).email;
    return send(call, await printLabels(withAudit(ctx, call), { id, chosen: body, by }));
  });

  mount(contract.printTestPage, async ({ query: { format } }, call) =>
    call.reply
      .type(TYPES[format])
      .header("Content-Disposition", attachment(`test-page.${format}`, `test-page.${format}`))
      .send(await writeTestPage(ctx, currentCompany(call).realmId, format)),
  );

  mount(contract.drawLabel, ({ params: { upload_id: id, seq }, query: { paper } }, call) =>
    showLabel(ctx, uploadIn(call, id), { seq, paper }),
  );

  mount(contract.exportSsccs, async ({ query: { upload_id: id } }, call) => {
    const { realmId } = currentCompany(call);
    const uploadId = id === undefined ? null : (await requireLabels(ctx, { realmId, id })).id;
    return call.reply
      .type("text/csv; charset=utf-8")
      .header("Content-Disposition", attachment("ssccs.csv", "ssccs.csv"))
      .send(await exportSsccs(ctx.db, { realmId, uploadId }));
  });

  mount(contract.readLabelSettings, (_input, call) => readLabelSettings(ctx, currentCompany(call)));

  mount(contract.changeLabelSettings, async ({ body }, call) => {
    await changeLabelSettings(withAudit(ctx, call), currentCompany(call), body);
    return readLabelSettings(ctx, currentCompany(call));
  });

  sheetRoutes(mount, ctx, {
    endpoints: contract,
    sheet: labelSheet,
    module: new URL("./read-sheet/inspect-columns.ts", import.meta.url),
  });
}

const TYPES = { pdf: contract.PDF_MEDIA_TYPE, zpl: "application/octet-stream" } as const;

function send(call: Call<Caller>, { upload, content, format }: LabelDocument) {
  const name = withoutEnding(upload.fileName);
  return call.reply
    .type(TYPES[format])
    .header("Content-Disposition", attachment(`${name}.${format}`, `labels.${format}`))
    .header(DOCUMENT_OF_HEADER, upload.id)
    .send(content);
}

/** Serves the template, which is the same for every company. */
export function labelTemplateRoute(serveRoute: ServeRoute): void {
  serveRoute({ method: "GET", path: "/templates/gs1-128-labels.xlsx" }, async (_request, reply) =>
    reply
      .type(XLSX_MEDIA_TYPE)
      .header("Cache-Control", "public, max-age=3600")
      .send(Buffer.from(await plainTemplate(labelSheet))),
  );
}
