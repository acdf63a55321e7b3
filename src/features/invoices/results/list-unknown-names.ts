import type { ListKind } from "#features/books/names/contract.ts";
import type { UnknownName, UnknownNames } from "#features/invoices/contract.ts";
import { readEntries } from "#features/books/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { findName, indexNames } from "#features/books/reading.ts";
import { sheetNames } from "#formats/table/places.ts";
import { rowRanges } from "#formats/text/phrases.ts";
import { findUpload, noUpload, type UploadId } from "#features/invoices/ledger/store.ts";
import { findUnknownNames } from "#features/invoices/results/store.ts";
import { NAMED_FIELDS } from "#features/invoices/workbook/named-fields.ts";

/** Lists by the prefix of their problem codes. */
const LISTS: ReadonlyMap<string, ListKind> = new Map(
  Object.values(NAMED_FIELDS).map(({ codePrefix, list }) => [codePrefix, list]),
);

/** Codes of problems that a name of a list is not in the books, as a pattern that the database reads, too. */
export const UNKNOWN_NAME_CODES = `^(${[...LISTS.keys()].join("|")})_(unknown|ambiguous|inactive)$`;

const unknownName = new RegExp(UNKNOWN_NAME_CODES);

/** Whether a problem code means that a list of the books lacks a name. */
export const isUnknownName = (code: string): boolean => unknownName.test(code);

/**
 * Lists names of an upload or a check that the books do not have, each once, with the entries they may mean.
 * Searches suggestions only for this page: a file can have tens of thousands of such names.
 * @throws AppError 404 for an unknown upload
 */
export async function listUnknownNames(
  ctx: InvoicesCtx,
  upload: UploadId,
  { after, limit }: { after: number; limit: number },
): Promise<UnknownNames> {
  const known = await findUpload(ctx.db, upload.realmId, upload.id);
  if (!known) throw noUpload();
  const sheets = sheetNames(known.notes);
  const found = await findUnknownNames(ctx.db, upload);
  const all = found.flatMap(({ list, ...named }) => {
    const kind = LISTS.get(list);
    return kind ? { kind, ...named } : [];
  });
  const page = all.slice(after, after + limit);
  const kinds = page.map(({ kind }) => kind);
  const suggest = await createSuggest(ctx, upload.realmId, kinds);
  return {
    names: page.map(({ rows, ...named }) => ({
      ...named,
      rows: rowRanges(rows, sheets),
      ...suggest(named.kind, named.text),
    })),
    total_count: all.length,
    next: after + limit < all.length ? after + limit : null,
  };
}

async function createSuggest(ctx: InvoicesCtx, realmId: string, kinds: readonly ListKind[]) {
  const read = async (kind: ListKind) => {
    const entries = await readEntries(ctx, realmId, kind);
    const listed = entries.map(({ id, name: fullName }) => {
      const name = fullName.split(":").at(-1) ?? fullName;
      return { id, name, fullName, active: true };
    });
    return [kind, { entries, index: indexNames(listed, { areTerms: kind === "term" }) }] as const;
  };
  const lists = new Map(await Promise.all([...new Set(kinds)].map(read)));
  return (kind: ListKind, text: string): Pick<UnknownName, "suggestions" | "preselected_id"> => {
    const list = lists.get(kind);
    const match = list && findName(list.index, text);
    if (match?.kind === "several") {
      const suggestions = match.entries.map(({ id, fullName }) => ({ id, name: fullName }));
      return { suggestions, preselected_id: null };
    }
    if (match?.kind !== "none") return { suggestions: [], preselected_id: null };
    const suggestions = match.suggestions.flatMap(
      (name) => list?.entries.find((entry) => entry.name === name) ?? [],
    );
    return { suggestions, preselected_id: match.isSure ? (suggestions[0]?.id ?? null) : null };
  };
}
