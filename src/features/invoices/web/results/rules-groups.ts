import { RESULT_STATUS, type UploadResult } from "#features/invoices/contract.ts";
import { isProblem } from "#features/invoices/web/results/status.ts";

/** Results of one status and cause, with the rows of all of them. */
export type ResultGroup = Omit<UploadResult, "rows"> & { rows: readonly string[] };

/**
 * Results as people look for them: problems first, equal causes together, then what is under way, what is done and
 * what was left out. Remarks on the file stand apart.
 */
export function groupResults(results: readonly UploadResult[]): {
  groups: ResultGroup[];
  notes: ResultGroup[];
} {
  const notes = results.filter(({ remark }) => remark);
  const others = results.filter(({ remark }) => !remark);
  const groups = groupByCause(others);
  return { groups: groups.toSorted((one, other) => rank(one) - rank(other)), notes: groupByCause(notes) };
}

function groupByCause(results: readonly UploadResult[]): ResultGroup[] {
  const groups = new Map<string, ResultGroup & { rows: string[] }>();
  for (const { rows, ...result } of results) {
    const message = result.cause ?? result.message;
    // Each says how many invoices it is about: two that say the same are still two.
    const what = result.status === RESULT_STATUS.completed ? rows : message;
    const key = `${result.status} ${what}`;
    const known = groups.get(key);
    if (known) {
      if (rows !== "") known.rows.push(rows);
      continue;
    }
    groups.set(key, { ...result, message, rows: rows === "" ? [] : [rows] });
  }
  return [...groups.values()];
}

/** Less is earlier. */
function rank({ status }: Pick<UploadResult, "status">): number {
  if (isProblem(status)) return 0;
  if (status === RESULT_STATUS.completed) return 2;
  return status === RESULT_STATUS.information ? 3 : 1;
}
