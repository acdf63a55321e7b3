import { correctCells } from "#formats/table/corrections.ts";
import { findTable } from "#features/invoices/workbook/rules-sheet.ts";
import { openFile, warnOldTemplate } from "#features/sheets/reading.ts";
import { packPlan, type PackedPlan } from "#features/invoices/plan/rules-packed.ts";
import { planInSteps } from "#features/invoices/plan/rules-plan.ts";
import { sumFileTax } from "#features/invoices/plan/rules-tax.ts";
import type { PlanLists } from "#features/invoices/plan/rules.ts";
import { offeredLists } from "#features/invoices/template/rules-lists.ts";

/** Reads an uploaded file and fully checks it against a company's lists. Runs in a worker thread. */
export function run(bytes: Uint8Array, lists: PlanLists): PackedPlan {
  const workbook = openFile(bytes);
  const found = findTable(workbook, lists.columnChoices);
  const { table, corrected } = correctCells(found, lists.corrections ?? []);
  const steps = planInSteps(table, lists);
  const tax = sumFileTax(lists);
  const packed = packPlan({ ...steps, invoices: tax.watch(steps.invoices) }, corrected);
  const plan = { ...packed, notes: [...packed.notes, ...tax.notes(table)] };
  const now = { names: workbook.names, company: lists.companyName, lists: offeredLists(lists) };
  const remark = warnOldTemplate(table, now);
  return remark ? { ...plan, notes: [remark, ...plan.notes] } : plan;
}
