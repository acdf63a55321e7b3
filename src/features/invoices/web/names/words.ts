import type { ListKind } from "#features/books/names/contract.ts";
import { formatCount } from "#web/kit/format.ts";

const kinds: Record<ListKind, string> = {
  customer: "Customer",
  item: "Item",
  term: "Terms",
  class: "Class",
  department: "Location",
};

/** Texts of names that the books do not have. */
export const namesWords = {
  title: "Names your books do not have",
  intro: "Say which entry of QuickBooks each name means. It is remembered for every later upload.",
  loading: "Looking for similar names",
  none: "Every name is known now.",
  kinds,
  where: (kind: ListKind, count: number, rows: string) =>
    `${kinds[kind]}, ${count === 1 ? "row" : `${formatCount(count)}× in rows`} ${rows}`,
  means: (text: string) => `“${text}” means`,
  search: (text: string) => `Search for ${text}`,
  placeholder: "Another name in QuickBooks",
  noHit: "Nothing in QuickBooks has this in its name.",
  use: (kind: string) => `Use this ${kind.toLowerCase()}`,
  useFor: (kind: string, text: string) => `Use this ${kind.toLowerCase()} for ${text}`,
  create: (text: string) => `Create “${text}” in QuickBooks`,
  createButton: "Create customer",
  createButtonFor: (text: string) => `Create customer ${text}`,
  chosen: (text: string, target: string) => `“${text}” means ${target}.`,
  created: (name: string) => `Customer “${name}” was created in QuickBooks.`,
  change: "Change",
  changeOf: (text: string) => `Change what ${text} means`,
  useAll: (count: number) => `Use all ${formatCount(count)} suggestions`,
  more: (count: number) => `Show ${formatCount(count)} more names`,
  rememberedTitle: "Remembered names and columns",
  rememberedIntro:
    "What was said once about a file of this company counts for every later one. What you forget is asked for again.",
  rememberedNames: {
    title: "Names",
    none: "No name has been remembered for this company.",
    loading: "Reading the remembered names",
    heads: ["In a file", "Kind", "In QuickBooks", ""] as readonly string[],
  },
  back: "Back to uploads",
} as const;
