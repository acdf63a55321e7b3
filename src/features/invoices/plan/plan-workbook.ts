import { correctCells } from "#formats/table/corrections.ts";
import { findTable, type Table } from "#features/invoices/workbook/rules-sheet.ts";
import { openFile, warnOldTemplate } from "#features/sheets/reading.ts";
import { packPlan, type PackedPlan } from "#features/invoices/plan/rules-packed.ts";
import { planInSteps } from "#features/invoices/plan/rules-plan.ts";
import type { PlanLists, PlannedInvoice } from "#features/invoices/plan/rules.ts";
import { offeredLists } from "#features/invoices/template/rules-lists.ts";
import { formatCents } from "#formats/table/amounts.ts";
import { remark, type Problem } from "#formats/table/problem.ts";

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

/**
 * Adds up the file's own tax while its invoices are planned. Tax is never sent: QuickBooks computes it for lines that are
 * marked taxable, and by default for none of a US company.
 */
function sumFileTax({ country, salesTaxOff = false }: PlanLists) {
  const sums = { covered: 0, lacking: 0 };
  const currencies = new Set<string | null>();
  return {
    *watch(invoices: Iterable<PlannedInvoice>): Generator<PlannedInvoice> {
      for (const invoice of invoices) {
        const { draft, taxCents, currency } = invoice;
        if (draft && taxCents) {
          const isTaxed = country !== "US" || draft.Line.some(isTaxable);
          sums[isTaxed && !salesTaxOff ? "covered" : "lacking"] += taxCents;
          currencies.add(currency);
        }
        yield invoice;
      }
    },
    /** Remark on the tax that the books won't have or, if there is no such tax, on the tax that they compute themselves. */
    notes(table: Table): Problem[] {
      const { covered, lacking } = sums;
      const [first] = table.rows;
      if (!first || covered + lacking <= 0) return [];
      const [currency = null, second] = currencies;
      const format = (cents: number) => formatCents(BigInt(cents));
      const params = {
        tax: format(lacking > 0 ? lacking : covered),
        fileTax: lacking > 0 && covered > 0 ? format(lacking + covered) : "",
        currency: second === undefined ? currency : null,
        salesTaxOff,
      };
      const code = lacking > 0 ? "tax_not_billed" : "tax_computed";
      const header = table.columns.find(({ field }) => field === "taxTotal")?.header ?? "";
      return [remark(code, first.number, { value: header, params })];
    },
  };
}

const isTaxable = (line: NonNullable<PlannedInvoice["draft"]>["Line"][number]) =>
  line.DetailType === "SalesItemLineDetail" && line.SalesItemLineDetail.TaxCodeRef?.value === "TAX";
