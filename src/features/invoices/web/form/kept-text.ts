import type { Faults } from "#features/invoices/web/form/rules-faults.ts";
import { type Grid, HEADERS, isEmptyGrid } from "#features/invoices/web/form/rules.ts";
import { openDraft } from "#web/kit/use-draft.ts";

export type Typed = { grid: Grid; faults: Faults };

/** The grid sent last: its posted rows leave the form even after the user has left the page. */
export type SentText = { id: string; isCheck: boolean; grid: Grid };

/** Keeps the typed text until it is posted: while the form is hidden, across reloads, and across sign-ins. */
export type KeptText = {
  read: () => Typed | null;
  keep: (typed: Typed) => void;
  readSent: () => SentText | null;
  keepSent: (sent: SentText | null) => void;
};

/** @param owner user and company; if storage is blocked, the text lives as long as the page */
export function createKeptText(owner: string): KeptText {
  const [texts, posts] = [openDraft(`invoices.${owner}`), openDraft(`invoices.sent.${owner}`)];
  let last = parse(texts.get(), toTyped);
  let lastSent = parse(posts.get(), toSent);
  return {
    read: () => last,
    keep: (typed) => {
      if (typed.grid === last?.grid && typed.faults === last.faults) return;
      last = typed;
      if (isEmptyGrid(typed.grid)) texts.forget();
      else texts.keep(JSON.stringify({ grid: typed.grid, faults: [...typed.faults] }));
    },
    readSent: () => lastSent,
    keepSent: (sent) => {
      lastSent = sent;
      if (sent) posts.keep(JSON.stringify(sent));
      else posts.forget();
    },
  };
}

type Stored = Record<string, unknown>;

/** Null for an empty draft, and for one in an earlier version's format. */
function parse<T>(json: string | null, read: (stored: Stored) => T | null): T | null {
  if (json === null) return null;
  try {
    const stored: unknown = JSON.parse(json);
    return typeof stored === "object" && stored !== null ? read(stored as Stored) : null;
  } catch {
    return null;
  }
}

const toTyped = ({ grid, faults }: Stored): Typed | null =>
  isGrid(grid) && Array.isArray(faults) ? { grid, faults: new Map(faults) } : null;

const toSent = ({ id, isCheck, grid }: Stored): SentText | null =>
  typeof id === "string" && isGrid(grid) ? { id, isCheck: isCheck === true, grid } : null;

const isGrid = (grid: unknown): grid is Grid =>
  Array.isArray(grid) &&
  grid.every(
    (row: unknown) =>
      Array.isArray(row) && row.length === HEADERS.length && row.every((cell) => typeof cell === "string"),
  );
