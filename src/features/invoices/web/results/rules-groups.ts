import { RESULT_STATUS, type UploadResult } from "#features/invoices/contract.ts";
import { isProblem } from "#features/invoices/web/results/status.ts";

/** Results of one status and cause, with the rows of all of them. */
export type ResultGroup = {
  status: number;
  message: string;
  rows: readonly string[];
  intuit_tids: UploadResult["intuit_tids"];
  posted: UploadResult["posted"];
  /** Number of invoices that the message counts; absent when it counts none. */
  invoices: number | undefined;
};

/**
 * Results as people look for them: problems first, equal causes together, then what is under way, what is done and
 * what was left out. Remarks on the file stand apart.
 */
export function groupResults(results: readonly UploadResult[]): {
  groups: ResultGroup[];
  notes: ResultGroup[];
} {
  const notes = results.filter(({ remark }) => remark);
  const others = notes.length === 0 ? results : results.filter(({ remark }) => !remark);
  const groups = groupByCause(others);
  const byRank: ResultGroup[][] = [[], [], [], []];
  for (const group of groups) byRank[rank(group)]?.push(group);
  return { groups: byRank.flat(), notes: groupByCause(notes) };
}

/** Written for long uploads: of 10,000 results each is looked at once, and nothing of it is copied that is not shown. */
function groupByCause(results: readonly UploadResult[]): ResultGroup[] {
  const groups = new Map<string, ResultGroup & { rows: string[] }>();
  for (const result of results) {
    const { status, rows, message: own, cause, intuit_tids, posted, invoices } = result;
    const message = cause ?? own;
    // Two messages that count as many invoices are about different ones.
    const key = `${status} ${invoices === undefined ? message : rows}`;
    const known = groups.get(key);
    if (!known)
      groups.set(key, { status, message, intuit_tids, posted, invoices, rows: rows === "" ? [] : [rows] });
    else if (rows !== "") known.rows.push(rows);
  }
  return [...groups.values()];
}

/** Less is earlier. */
function rank({ status }: Pick<UploadResult, "status">): number {
  if (isProblem(status)) return 0;
  if (status === RESULT_STATUS.completed) return 2;
  return status === RESULT_STATUS.information ? 3 : 1;
}
