import { notFound } from "#platform/errors.ts";
import type { ListKind } from "#features/books/names/contract.ts";
import type { UnknownNames } from "#features/invoices/contract.ts";
import { readEntries, type Entry } from "#features/books/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { findName, indexNames } from "#features/books/reading.ts";
import { rowRanges } from "#formats/text/phrases.ts";
import { findUpload, type UploadId } from "#features/invoices/ledger/store.ts";
import { readProblems } from "#features/invoices/results/store-entries.ts";

/** Codes of the rules that a name of a list broke. */
const KIND_OF_CODE: ReadonlyMap<string, ListKind> = new Map(
  (["unknown", "ambiguous", "inactive"] as const).flatMap((fault) => [
    [`customer_${fault}`, "customer"] as const,
    [`item_${fault}`, "item"] as const,
    [`terms_${fault}`, "term"] as const,
    [`class_${fault}`, "class"] as const,
    [`location_${fault}`, "department"] as const,
  ]),
);

/**
 * Names of an upload or a check that the books do not have, each once, with the entries they may mean. Suggestions are
 * sought for the page alone: a file may have tens of thousands of such names.
 * @throws AppError 404 when the company has no such upload
 */
export async function listUnknownNames(
  ctx: InvoicesCtx,
  upload: UploadId,
  { after, limit }: { after: number; limit: number },
): Promise<UnknownNames> {
  if (!(await findUpload(ctx.db, upload.realmId, upload.id))) {
    throw notFound("This company has no such upload. Reload the page to see its uploads.");
  }
  const all = await gatherNames(ctx, upload);
  const page = all.slice(after, after + limit);
  const kinds = page.map(({ kind }) => kind);
  const suggest = await createSuggest(ctx, upload.realmId, kinds);
  return {
    names: page.map(({ kind, text, rows, count }) => ({
      kind,
      text,
      rows: rowRanges([...rows]),
      count,
      suggestions: suggest(kind, text),
    })),
    total_count: all.length,
    next: after + limit < all.length ? after + limit : null,
  };
}

type Named = { kind: ListKind; text: string; rows: Set<number>; count: number };

async function gatherNames(ctx: InvoicesCtx, upload: UploadId): Promise<Named[]> {
  const found = new Map<string, Named>();
  for await (const { code, value: text, row } of readProblems(ctx.db, upload)) {
    const kind = KIND_OF_CODE.get(code);
    if (!kind) continue;
    const key = `${kind}\n${text}`;
    const named = found.get(key) ?? { kind, text, rows: new Set(), count: 0 };
    found.set(key, named);
    named.rows.add(row);
    named.count += 1;
  }
  return [...found.values()];
}

async function createSuggest(ctx: InvoicesCtx, realmId: string, kinds: readonly ListKind[]) {
  const lists = new Map<ListKind, Entry[]>();
  for (const kind of new Set(kinds)) lists.set(kind, await readEntries(ctx, realmId, kind));
  const indexes = new Map(
    [...lists].map(([kind, entries]) => [
      kind,
      indexNames(
        entries.map(({ id, name }) => ({
          id,
          name: name.split(":").at(-1) ?? name,
          fullName: name,
          active: true,
        })),
      ),
    ]),
  );
  return (kind: ListKind, text: string): Entry[] => {
    const index = indexes.get(kind);
    const match = index && findName(index, text);
    if (match?.kind === "several") return match.entries.map(({ id, fullName }) => ({ id, name: fullName }));
    const names = match?.kind === "none" ? match.suggestions : [];
    return names.flatMap((name) => lists.get(kind)?.find((entry) => entry.name === name) ?? []);
  };
}
