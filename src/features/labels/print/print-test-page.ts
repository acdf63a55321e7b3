import { Readable } from "node:stream";
import { RESOLUTIONS } from "#formats/label/drawing.ts";
import { writePdf } from "#formats/pdf/write-pdf.ts";
import { createZpl } from "#formats/zpl/write-zpl.ts";
import type { Ctx } from "#platform/ctx.ts";
import { fillPages, pageOf } from "#features/labels/print/rules-pages.ts";
import { drawTestPage } from "#features/labels/print/rules-test-page.ts";
import { readFontFile } from "#features/labels/print/read-fonts.ts";
import { findLabelSettings } from "#features/labels/settings/store.ts";

/** A page that shows what the printer makes of labels, on the company's paper. */
export async function printTestPage(
  { db }: Pick<Ctx, "db">,
  realmId: string,
  kind: "pdf" | "zpl",
): Promise<Readable> {
  const { resolution: name = "203", paper = "roll" } = (await findLabelSettings(db, realmId)) ?? {};
  const resolution = RESOLUTIONS[name];
  const own = drawTestPage(name, kind);
  const test = { common: { texts: [], rules: [], symbols: [] }, own, isFirst: false };
  if (kind === "zpl") {
    const write = createZpl({ resolution, label: pageOf("roll").label });
    return Readable.from([write(test)]);
  }
  const form = pageOf(paper);
  const labels = async function* () {
    for (const _ of form.places) yield test;
  };
  const { page, label } = form;
  const pages = fillPages(labels(), form, resolution);
  return Readable.from(
    writePdf({ title: "Test page", resolution, page, label, pages, fontFile: readFontFile }),
  );
}
