import { notFound } from "#platform/errors.ts";
import type { ListKind, UnknownName } from "#features/invoices/choices/contract.ts";
import { readEntries, type Entry } from "#features/invoices/choices/search-list.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { findName, indexNames } from "#features/invoices/plan/rules-names.ts";
import { rowRanges } from "#features/invoices/workbook/rules-problems.ts";
import { findUpload } from "#features/invoices/store.ts";
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
 * Names of an upload or a check that the books do not have, each once, with the entries they may mean.
 * @throws AppError 404 when the company has no such upload
 */
export async function listUnknownNames(
  ctx: InvoicesCtx,
  realmId: string,
  uploadId: string,
): Promise<UnknownName[]> {
  if (!(await findUpload(ctx.db, realmId, uploadId))) {
    throw notFound("This company has no such upload. Reload the page to see its uploads.");
  }
  const named: { kind: ListKind; text: string; row: number }[] = [];
  for await (const { code, value, row } of readProblems(ctx.db, { realmId, id: uploadId })) {
    const kind = KIND_OF_CODE.get(code);
    if (kind) named.push({ kind, text: value, row });
  }
  const groups = [...Map.groupBy(named, ({ kind, text }) => `${kind}\n${text}`).values()];
  const suggest = await createSuggest(
    ctx,
    realmId,
    groups.flatMap(([first]) => first?.kind ?? []),
  );
  return groups.flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const rows = rowRanges([...new Set(group.map(({ row }) => row))]);
    const { kind, text } = first;
    return [{ kind, text, rows, count: group.length, suggestions: suggest(kind, text) }];
  });
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
