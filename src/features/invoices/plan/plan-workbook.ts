import { correctCells } from "#formats/table/corrections.ts";
import { findTable } from "#features/invoices/workbook/rules-sheet.ts";
import { openFile, warnOldTemplate } from "#features/sheets/reading.ts";
import { packPlan, type PackedPlan } from "#features/invoices/plan/rules-packed.ts";
import { planInSteps } from "#features/invoices/plan/rules-plan.ts";
import type { PlanLists } from "#features/invoices/plan/rules.ts";
import { offeredLists } from "#features/invoices/template/rules-lists.ts";

/** Reads an uploaded file and fully checks it against a company's lists. Runs in a worker thread. */
export function run(bytes: Uint8Array, lists: PlanLists): PackedPlan {
  const workbook = openFile(bytes);
  const found = findTable(workbook, lists.columnChoices);
  const { table, corrected } = correctCells(found, lists.corrections ?? []);
  const plan = packPlan(planInSteps(table, lists, found), corrected);
  const now = { names: workbook.names, company: lists.companyName, lists: offeredLists(lists) };
  const remark = warnOldTemplate(table, now);
  return remark ? { ...plan, notes: [remark, ...plan.notes] } : plan;
}
