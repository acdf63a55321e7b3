import type { RawBuilder } from "kysely";
import type { Shown } from "#features/admin/lists/contract.ts";

/** One list of Admin as data. Its table is `t` in every part, the company of a row `c`. */
export type ListSource = {
  /** A table, or a query in brackets. */
  table: RawBuilder<unknown>;
  /** Time by which the list is ordered, and a key of a row; both descend, and one index has both. */
  at: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
  /** Whether keys are UUIDs; others are texts. */
  hasUuids: boolean;
  /** Columns beside the key and the company, by their names on the wire. */
  columns: RawBuilder<unknown>;
  /** Joins for columns; made for the rows of one page only. */
  joins?: RawBuilder<unknown>;
  /** Whether its rows belong to companies, by `t.realm_id`. */
  hasCompany: boolean;
  /** Conditions of the rows that each filter shows, at least one of them; each is answered by an index. */
  filters?: Partial<Record<Shown, readonly RawBuilder<unknown>[]>>;
  /** Condition of rows of a time, answered by an index; by `at` without it. */
  isWithin?(range: Range): RawBuilder<unknown>;
  /** Conditions under which a row is found by a text. Each is answered by an index. */
  matches(search: Search): RawBuilder<unknown>[];
};

/** From a time, and before another. */
export type Range = { from: Date; until: Date };

/** A typed text, for conditions. */
export type Search = {
  text: string;
  /** The text as an id; null if it is none. */
  uuid: string | null;
  /** Pattern of `like` for texts that begin so, in lower case. */
  beginning: string;
};
