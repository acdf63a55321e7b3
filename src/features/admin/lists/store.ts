import { sql, type RawBuilder } from "kysely";
import type { Shown } from "#features/admin/lists/contract.ts";
import { isBetween } from "#features/admin/lists/sources.ts";
import type { ListSource, Range, Search } from "#features/admin/lists/types.ts";
import type { Db } from "#platform/db/connect.ts";

/** Companies that a text may find; each is searched by its own index. */
const MAX_COMPANIES = 8;

/** End of a page: the time of its last row in microseconds, and its key. */
export type PageEnd = { at: number; key: string };

export type RowQuery = {
  search: string;
  /** Whether the name or id of a company finds its rows; true by default. */
  isByCompany?: boolean;
  show: Shown;
  range?: Range | null;
  before: PageEnd | null;
  limit: number;
};

type FoundRow = { key: string; place_at: number } & Record<string, unknown>;

/**
 * Finds rows of a list, newest first. A search has one branch for each of its conditions and for each company that is
 * called so. Each branch reads its first rows by an index, so a page costs the same however long the list is.
 */
export async function findRows(db: Db, source: ListSource, query: RowQuery): Promise<FoundRow[]> {
  const { search, isByCompany = true, show, limit } = query;
  const found = search === "" ? [sql`true`] : await findBranches(db, source, { text: search, isByCompany });
  const shown = show === "all" ? [sql`true`] : (source.filters?.[show] ?? []);
  const branches = found.flatMap((match) => shown.map((filter) => sql`${match} and ${filter}`));
  if (branches.length === 0) return [];
  const parts = branches.map((branch) => sql`(${selectPage(source, query, branch)})`);
  const { rows } =
    await sql<FoundRow>`select * from (${sql.join(parts, sql` union all `)}) found order by place_at desc, key desc`.execute(
      db,
    );
  const seen = new Set<string>();
  return rows.filter(({ key }) => !seen.has(key) && seen.add(key)).slice(0, limit);
}

const EPOCH = sql`timestamptz 'epoch'`;

function selectPage(
  { table, at, key, hasUuids, hasCompany, columns, joins = sql``, isWithin }: ListSource,
  { range = null, before, limit }: RowQuery,
  branch: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const cast = hasUuids ? sql`uuid` : sql`text`;
  const isOlder =
    before &&
    sql`(${at}, ${key}) < (${EPOCH} + ${before.at}::bigint * interval '1 microsecond', ${before.key}::${cast})`;
  const isShown = range && (isWithin ? isWithin(range) : isBetween(at, range));
  const condition = sql.join(
    [branch, isOlder, isShown].filter((part) => part !== null),
    sql` and `,
  );
  return sql`select ${key}::text as key, (extract(epoch from ${at}) * 1000000)::bigint as place_at,
      ${hasCompany ? sql`t.realm_id, coalesce(c.name, '') as company,` : sql``} ${columns}
    from (select * from ${table} t where ${condition} order by ${at} desc, ${key} desc limit ${limit}) t
    ${hasCompany ? sql`left join company c on c.realm_id = t.realm_id` : sql``} ${joins}`;
}

async function findBranches(
  db: Db,
  source: ListSource,
  { text, isByCompany }: { text: string; isByCompany: boolean },
): Promise<RawBuilder<unknown>[]> {
  const search = parseSearch(text);
  const realmIds = source.hasCompany && isByCompany ? await findRealmIds(db, search) : [];
  return [...source.matches(search), ...realmIds.map((realmId) => sql`t.realm_id = ${realmId}`)];
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses a typed text; pattern characters are matched literally. */
function parseSearch(text: string): Search {
  const escaped = text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`);
  return { text, uuid: UUID.test(text) ? text : null, prefixPattern: `${escaped}%` };
}

/** Finds companies by their id, or by the beginning of their name. */
async function findRealmIds(db: Db, { text, prefixPattern }: Search): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select realm_id as id from company
    where realm_id = ${text} or lower(name) like ${prefixPattern} limit ${MAX_COMPANIES}`.execute(db);
  return rows.map(({ id }) => id);
}
