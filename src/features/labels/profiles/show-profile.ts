import { LABEL_SIZE, RESOLUTIONS } from "#formats/label/drawing.ts";
import type { Ctx } from "#platform/ctx.ts";
import { findProfileFaults } from "#features/labels/layout/rules-faults.ts";
import { createLayout } from "#features/labels/layout/rules-layout.ts";
import { toProfile } from "#features/labels/layout/rules-profiles.ts";
import { SAMPLE_FROM, SAMPLE_PREFIX, sampleCarton } from "#features/labels/layout/rules-sample.ts";
import type { Drawing } from "#features/labels/print/contract.ts";
import { toDrawing } from "#features/labels/print/rules-drawing.ts";
import type { ProfileContent } from "#features/labels/profiles/contract.ts";
import { faultSentence, sampleSentence } from "#features/labels/sentences-profiles.ts";
import { findLabelSettings } from "#features/labels/settings/store.ts";

/** A label of sample data by a profile that is being edited, and what keeps it from being saved. */
export async function showProfile(
  { db }: Pick<Ctx, "db">,
  realmId: string,
  { content, country }: { content: ProfileContent; country: "US" | "CA" },
): Promise<{ drawing: Drawing; faults: string[]; remarks: string[] }> {
  const settings = await findLabelSettings(db, realmId);
  const profile = toProfile({ id: "", name: "", version: 1 }, content);
  const printer = RESOLUTIONS[settings?.resolution ?? "203"];
  const from = settings?.shipFroms[0] ?? SAMPLE_FROM;
  const layout = createLayout(profile, printer);
  const carton = sampleCarton(country, profile.markForDigits);
  const label = layout.draw(carton, { from, prefix: SAMPLE_PREFIX });
  return {
    drawing: toDrawing(label, printer, LABEL_SIZE),
    faults: findProfileFaults(profile).map(faultSentence),
    remarks: layout.findFaults(carton.row).map(sampleSentence),
  };
}
