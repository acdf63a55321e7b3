import { findTimeZone } from "#features/companies/index.ts";
import { RESOLUTIONS } from "#formats/label/drawing.ts";
import { writePdf } from "#formats/pdf/write-pdf.ts";
import { spellDate } from "#formats/table/dates.ts";
import { dayIn } from "#formats/text/phrases.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { UploadId } from "#features/labels/ledger/store.ts";
import { withoutEnding } from "#features/labels/rules-names.ts";
import { drawReport, REPORT_PAGE } from "#features/labels/trail/rules-report.ts";
import { readFontFile } from "#features/labels/print/read-fonts.ts";
import { verifyLabels } from "#features/labels/trail/verify-labels.ts";

/** The verification of an upload as a page to print. */
export async function printVerification(
  { db }: Pick<Ctx, "db">,
  id: UploadId,
): Promise<{ name: string; content: AsyncGenerator<Buffer> }> {
  const verification = await verifyLabels({ db }, id);
  const dayOf = dayIn(await findTimeZone(db, id.realmId));
  const own = drawReport(verification, {
    profile: verification.profile,
    madeOn: spellDate(dayOf(new Date(verification.made_at))),
  });
  const page = { common: NOTHING, own, leftDots: 0, topDots: 0 };
  const content = writePdf({
    title: "GS1-128 verification report",
    resolution: RESOLUTIONS[verification.resolution],
    page: REPORT_PAGE,
    label: REPORT_PAGE,
    fontFile: readFontFile,
    pages: (async function* () {
      yield [page];
    })(),
  });
  return { name: `${withoutEnding(verification.filename)} - verification.pdf`, content };
}

const NOTHING = { texts: [], rules: [], symbols: [] };
