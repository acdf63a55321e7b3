import type { Problem } from "#formats/table/problem.ts";
import { sql, type RawBuilder } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { ResultEntry } from "#features/invoices/results/rules-results.ts";
import { toResultEntry, type EntryRow } from "#features/invoices/results/store-entries.ts";
import type { UploadId } from "#features/invoices/ledger/store.ts";
import { findWaitingUndo } from "#features/invoices/ledger/store-undos.ts";

/**
 * A ledger entry, or all neighbours in the sheet that say the same and have no problems. `seq` is an entry's own, null
 * for neighbours. The facts of problems are left out; their fingerprints are there.
 */
export type ResultRun = ResultEntry & { seq: number | null };

/** Which rows have a remark of their own: their invoices are not put together with neighbours. */
type Asked = { upload: UploadId; noteRows: readonly number[] };

/**
 * The ledger of an upload as far as it decides how many results there are and which come first. The database puts it
 * together: of a large upload this is run every second.
 */
export async function findResultRuns(db: Db, asked: Asked): Promise<ResultRun[]> {
  const { realmId, id } = asked.upload;
  const waiting = await findWaitingUndo(db, realmId, id);
  const [plain, others] = [await findPlain(db, asked), await findOthers(db, asked)];
  return [
    ...plain.flatMap(({ ranges, ...row }) =>
      rangesOf(ranges).map((rows) => ({ ...toResultEntry(row, waiting), seq: null, rows, problems: [] })),
    ),
    ...others.map(({ seq, row_numbers: rows, problem_rows, severities, fingerprints, ...row }) => ({
      ...toResultEntry(row, waiting),
      seq,
      rows,
      problems: problem_rows.map((number, place) => ({
        row: number,
        severity: severities[place] ?? "error",
        fingerprint: fingerprints[place] ?? "",
      })),
    })),
  ];
}

async function findPlain(db: Db, asked: Asked) {
  const { rows } = await sql<EntryRow & { ranges: string }>`select state, cause,
      null as doc_number, null as qbo_doc_number, null as txn_date, undo_id, undo_action, null as undo_cause, min(undone_at) as undone_at,
      range_agg(int4range(row_numbers[1], row_numbers[cardinality(row_numbers)], '[]'))::text as ranges
    from ledger_entry where ${ledgerOf(asked.upload)} and ${isPlain(asked.noteRows)}
    group by state, cause, undo_id, undo_action, (undone_at at time zone 'utc')::date`.execute(db);
  return rows;
}

async function findOthers(db: Db, asked: Asked) {
  type Fingerprints = { problem_rows: number[]; severities: Problem["severity"][]; fingerprints: string[] };
  const { rows } = await sql<
    EntryRow & Fingerprints & { seq: number; row_numbers: number[] }
  >`select seq, row_numbers,
      state, cause, doc_number, qbo_doc_number, undo_id, undo_action, undo_cause, undone_at,
      case when state = 'unresolved' then draft ->> 'TxnDate' end as txn_date,
      jsonb_path_query_array(problems, '$[*].row') as problem_rows,
      jsonb_path_query_array(problems, '$[*].severity') as severities,
      array(select md5((problem - 'row')::text) from jsonb_array_elements(problems) with ordinality as each(problem, place)
        order by place) as fingerprints
    from ledger_entry where ${ledgerOf(asked.upload)} and not ${isPlain(asked.noteRows)}`.execute(db);
  return rows;
}

/**
 * How many invoices stand in ranges of rows that are runs of one ledger, and the number in the books of those alone.
 * @param ranges in the order of the sheet
 */
export async function countRuns(
  db: Db,
  { realmId, id }: UploadId,
  ranges: readonly { first: number; last: number }[],
): Promise<{ invoices: number; number: string | null }[]> {
  if (ranges.length === 0) return [];
  const { rows } = await sql<{ place: number; invoices: number; number: string | null }>`select
      width_bucket(row_numbers[1], ${ranges.map(({ first }) => first)}::int[]) as place, count(*)::int as invoices,
      min(qbo_doc_number) as number
    from ledger_entry where ${ledgerOf({ realmId, id })}
      and row_numbers[1] between ${ranges[0]?.first ?? 0}::int and ${ranges.at(-1)?.last ?? 0}::int
      and row_numbers[1] <= (${ranges.map(({ last }) => last)}::int[])[
        width_bucket(row_numbers[1], ${ranges.map(({ first }) => first)}::int[])]
    group by place`.execute(db);
  const found = new Map(rows.map((row) => [row.place, row]));
  return ranges.map((_, index) => found.get(index + 1) ?? { invoices: 0, number: null });
}

const ledgerOf = ({ realmId, id }: UploadId): RawBuilder<boolean> =>
  sql`realm_id = ${realmId} and upload_id = ${id}::uuid`;

/** Its rows follow each other and share one line: no cause names its invoice. */
const isPlain = (noteRows: readonly number[]): RawBuilder<boolean> =>
  sql`(problems = '[]' and (cause is null or state in ('skipped', 'stopped')) and (undo_cause is null or state = 'undoing') and not row_numbers && ${[...noteRows]}::int[]
    and row_numbers[cardinality(row_numbers)] - row_numbers[1] + 1 = cardinality(row_numbers))`;

/** Rows of "{[2,301),[305,306)}". */
function rangesOf(ranges: string): number[][] {
  return [...ranges.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) =>
    Array.from({ length: Number(to) - Number(from) }, (_, index) => Number(from) + index),
  );
}
