import type { RawBuilder } from "kysely";
import type { Shown } from "#features/admin/lists/contract.ts";

/** One list of Admin as data. Its table is `t` in every part, the company of a row `c`. */
export type ListSource = {
  /** A table, or a query in parentheses. */
  table: RawBuilder<unknown>;
  /** Time by which the list is ordered, and a key of a row; both descending, covered by one index. */
  at: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
  /** Whether keys are UUIDs; otherwise they are text. */
  hasUuids: boolean;
  /** Columns besides the key and the company, by their names on the wire. */
  columns: RawBuilder<unknown>;
  /** Joins for columns; made for the rows of one page only. */
  joins?: RawBuilder<unknown>;
  /** Whether its rows belong to companies, by `t.realm_id`. */
  hasCompany: boolean;
  /** Conditions of the rows that each filter shows, at least one of them; each is answered by an index. */
  filters?: Partial<Record<Shown, readonly RawBuilder<unknown>[]>>;
  /** Condition for rows within a time range, served by an index; defaults to a range over `at`. */
  isWithin?(range: Range): RawBuilder<unknown>;
  /** Conditions under which a search finds a row; an index serves each. */
  matches(search: Search): RawBuilder<unknown>[];
};

/** Time range: `from` is included, `until` is not. */
export type Range = { from: Date; until: Date };

/** Search text in the forms that conditions need. */
export type Search = {
  text: string;
  /** The text as an id; null if it isn't one. */
  uuid: string | null;
  /** Lowercase `like` pattern for a prefix match. */
  prefixPattern: string;
};
