import { Readable } from "node:stream";
import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/index.ts";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { sheetRoutes } from "#features/sheets/index.ts";
import { plainTemplate } from "#features/sheets/reading.ts";
import { attachment } from "#platform/http/attachment.ts";
import type { Call, Mount } from "#platform/http/mount.ts";
import type { ChangeFeed } from "#platform/events/change-feed.ts";
import type { ServeRoute } from "#platform/http/serve-route.ts";
import * as contract from "#features/labels/contract.ts";
import type { LabelChoices } from "#features/labels/contract.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { requireUpload } from "#features/labels/ledger/find-upload.ts";
import type { LabelUpload } from "#features/labels/ledger/store.ts";
import { listUploads } from "#features/labels/list-uploads.ts";
import * as print from "#features/labels/print/contract.ts";
import type { ChosenLabels } from "#features/labels/print/contract.ts";
import { printLabels } from "#features/labels/print/print-labels.ts";
import { printTestPage } from "#features/labels/print/print-test-page.ts";
import { renderPdf } from "#features/labels/print/render-labels.ts";
import { showLabel } from "#features/labels/print/show-label.ts";
import { changeProfile, copyProfile, removeProfile } from "#features/labels/profiles/change-profiles.ts";
import * as profiles from "#features/labels/profiles/contract.ts";
import { listProfiles } from "#features/labels/profiles/list-profiles.ts";
import { showProfile } from "#features/labels/profiles/show-profile.ts";
import { readLabelUpload } from "#features/labels/read-label-upload.ts";
import { acceptSheet } from "#features/labels/requests/accept-sheet.ts";
import { findPrint, answerRefusal } from "#features/labels/requests/find-print.ts";
import { waitForLabels } from "#features/labels/requests/wait-for-labels.ts";
import { checkLabels } from "#features/labels/check-labels.ts";
import { changeLabelSettings } from "#features/labels/settings/change-label-settings.ts";
import * as settings from "#features/labels/settings/contract.ts";
import { readLabelSettings, requireLabelSettings } from "#features/labels/settings/read-label-settings.ts";
import { trailRoutes } from "#features/labels/trail/routes.ts";
import { withoutEnding } from "#features/labels/rules-names.ts";
import { writeProblemRows } from "#features/labels/write-problem-rows.ts";
import { labelSheet } from "#features/labels/sheet/rules-sheet.ts";

type WebCtx = LabelsCtx & { changes: ChangeFeed };

export function labelsRoutes(mount: Mount<Caller>, ctx: WebCtx): void {
  mount(contract.readLabelUpload, ({ params }, call) =>
    readLabelUpload(ctx, { realmId: currentCompany(call).realmId, id: params.upload_id }),
  );

  mount(contract.reviewLabels, ({ file, body: { cells, ...choices } }, call) =>
    checkLabels(ctx, currentCompany(call), { file, cells, choices }),
  );

  mount(contract.downloadProblemRows, async ({ file, body: { cells, ...choices } }, call) => {
    const { name, bytes } = await writeProblemRows(ctx, currentCompany(call), { file, cells, choices });
    return call.reply
      .type(XLSX_MEDIA_TYPE)
      .header("Content-Disposition", attachment(name, "problem-rows.xlsx"))
      .send(Buffer.from(bytes));
  });

  mount(contract.listLabelUploads, (_input, call) => listUploads(ctx, currentCompany(call).realmId));

  mount(print.printLabels, ({ params, body }, call) =>
    sendAgain(ctx, call, { id: params.upload_id, chosen: body, format: "pdf" }),
  );

  mount(print.printZpl, ({ params, body }, call) =>
    sendAgain(ctx, call, { id: params.upload_id, chosen: body, format: "zpl" }),
  );

  mount(print.drawLabel, ({ params: { upload_id: id, seq }, query: { paper } }, call) =>
    showLabel(ctx, { realmId: currentCompany(call).realmId, id }, { seq, paper }),
  );

  mount(print.printTestPdf, async (_input, call) =>
    call.reply
      .type(contract.PDF_MEDIA_TYPE)
      .header("Content-Disposition", attachment("test-page.pdf", "test-page.pdf"))
      .send(await printTestPage(ctx, currentCompany(call).realmId, "pdf")),
  );

  mount(print.printTestZpl, async (_input, call) =>
    call.reply
      .type("application/octet-stream")
      .header("Content-Disposition", attachment("test-page.zpl", "test-page.zpl"))
      .send(await printTestPage(ctx, currentCompany(call).realmId, "zpl")),
  );

  mount(settings.readLabelSettings, (_input, call) => readLabelSettings(ctx, currentCompany(call)));

  mount(settings.changeLabelSettings, async ({ body }, call) => {
    await changeLabelSettings(withAudit(ctx, call), currentCompany(call), body);
    return readLabelSettings(ctx, currentCompany(call));
  });

  makingRoutes(mount, ctx);
  profileRoutes(mount, ctx);
  trailRoutes(mount, ctx);
  sheetRoutes(mount, ctx, {
    endpoints: contract,
    sheet: labelSheet,
    module: new URL("./sheet/inspect-columns.ts", import.meta.url),
  });
}

/** Labels of a sheet, and what became of them where their answer was late or lost. */
function makingRoutes(mount: Mount<Caller>, ctx: WebCtx): void {
  mount(contract.createLabels, async ({ file, query, body }, call) => {
    const { cells, print_id: printId = ctx.ids.uuid(), ...choices } = body;
    const company = currentCompany(call);
    const { id: userId, email: askedBy } = currentUser(call);
    const asked = { printId, rows: query.rows, cells, choices, askedBy, userId, callId: call.request.id };
    const gone = new AbortController();
    // Before the sheet is stored: the caller may hang up meanwhile.
    call.reply.raw.once("close", () => gone.abort());
    await acceptSheet(ctx, company, { ...asked, file });
    const id = { realmId: company.realmId, printId };
    const ended = await waitForLabels(ctx, id, gone.signal);
    if (ended?.refusal) throw await answerRefusal(ctx, id, ended.refusal);
    if (ended?.uploadId) return sendNew(ctx, call, { id: ended.uploadId, choices });
    return call.reply.code(202).send(contract.createLabels.late.parse({ print_id: printId }));
  });

  mount(contract.findPrint, ({ params }, call) =>
    findPrint(ctx, { realmId: currentCompany(call).realmId, printId: params.print_id }),
  );
}

/** Profiles of the company's own. */
function profileRoutes(mount: Mount<Caller>, ctx: LabelsCtx): void {
  const idOf = (call: Call<Caller>, id: string) => ({ realmId: currentCompany(call).realmId, id });

  mount(profiles.listProfiles, (_input, call) => listProfiles(ctx, currentCompany(call).realmId));

  mount(profiles.copyProfile, ({ body }, call) =>
    copyProfile(withAudit(ctx, call), currentCompany(call).realmId, body),
  );

  mount(profiles.changeProfile, ({ params, body }, call) =>
    changeProfile(withAudit(ctx, call), idOf(call, params.profile_id), body),
  );

  mount(profiles.removeProfile, ({ params }, call) =>
    removeProfile(withAudit(ctx, call), idOf(call, params.profile_id)),
  );

  mount(profiles.drawProfile, ({ body }, call) => showProfile(ctx, currentCompany(call).realmId, body));
}

type New = { id: string; choices: LabelChoices };

async function sendNew(ctx: LabelsCtx, call: Call<Caller>, { id, choices }: New) {
  const { realmId } = currentCompany(call);
  const upload = await requireUpload(ctx, { realmId, id });
  const { resolution, ...usual } = await requireLabelSettings(ctx, realmId);
  const { paper = usual.paper, order = usual.order, separators = usual.separators } = choices;
  const ranges = [{ first: 1, last: upload.labelCount }];
  const toPrint = { realmId, upload, resolution, ranges, paper, order, separators };
  const content = Readable.from(renderPdf(ctx.db, toPrint));
  return send(call, { upload, content, format: "pdf" });
}

async function sendAgain(ctx: LabelsCtx, call: Call<Caller>, asked: Pick<Asked, "id" | "chosen" | "format">) {
  const realmId = currentCompany(call).realmId;
  const { upload, content } = await printLabels(withAudit(ctx, call), {
    ...asked,
    id: { realmId, id: asked.id },
    by: currentUser(call).email,
  });
  return send(call, { upload, content, format: asked.format });
}

type Asked = { id: string; chosen: ChosenLabels; format: "pdf" | "zpl" };

type Document = { upload: LabelUpload; content: Readable; format: "pdf" | "zpl" };

function send(call: Call<Caller>, { upload, content, format }: Document) {
  const name = withoutEnding(upload.fileName);
  return call.reply
    .type(format === "pdf" ? contract.PDF_MEDIA_TYPE : "application/octet-stream")
    .header("Content-Disposition", attachment(`${name}.${format}`, `labels.${format}`))
    .header(contract.UPLOAD_HEADER, upload.id)
    .send(content);
}

/** The template, the same for everyone. */
export function labelTemplateRoute(serveRoute: ServeRoute): void {
  serveRoute({ method: "GET", path: "/templates/gs1-128-labels.xlsx" }, async (_request, reply) =>
    reply
      .type(XLSX_MEDIA_TYPE)
      .header("Cache-Control", "public, max-age=3600")
      .send(Buffer.from(await plainTemplate(labelSheet))),
  );
}
