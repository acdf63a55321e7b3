import { readNames } from "#formats/xlsx/read-names.ts";
import { findTable } from "#features/invoices/workbook/rules-table.ts";
import { isWorkbook, openFile, remarkOnTemplate } from "#features/sheets/reading.ts";
import { packPlan, type PackedPlan } from "#features/invoices/plan/rules-packed.ts";
import { planInSteps } from "#features/invoices/plan/rules-plan.ts";
import type { PlanLists } from "#features/invoices/plan/rules.ts";
import { offeredLists } from "#features/invoices/template/rules-lists.ts";

/** Reads an uploaded file and checks all of it against a company's lists. Runs in a thread of its own. */
export function run(bytes: Uint8Array, lists: PlanLists): PackedPlan {
  const table = findTable(openFile(bytes), lists.columnChoices);
  const plan = packPlan(planInSteps(table, lists));
  const now = { company: lists.companyName, lists: offeredLists(lists) };
  const remark = isWorkbook(bytes) ? remarkOnTemplate(table, { names: readNames(bytes), ...now }) : undefined;
  return remark ? { ...plan, notes: [remark, ...plan.notes] } : plan;
}
