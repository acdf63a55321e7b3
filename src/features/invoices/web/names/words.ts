import type { ListKind } from "#features/books/names/contract.ts";
import { counted, formatCount } from "#web/kit/format.ts";

const kinds: Record<ListKind, string> = {
  customer: "Customer",
  item: "Item",
  term: "Terms",
  class: "Class",
  department: "Location",
};

/** UI text for names that QuickBooks does not have. */
export const namesWords = {
  titleOnly: "Questions",
  title: (count: number) => (count === 0 ? "Every name is matched" : counted(count, "question")),
  intro: "Names not found in QuickBooks. Match each name to one in QuickBooks. We'll remember your choice.",
  loading: "Looking for similar names",
  kinds,
  where: (count: number, rows: string) =>
    count === 1 ? `Row ${rows}` : `${formatCount(count)} times: rows ${rows}`,
  unlocks: (count: number) => `Unlocks ${counted(count, "invoice")}`,
  quoted: (text: string) => `"${text}"`,
  meaningLabel: (kind: string, text: string) => `${kind} for ${text}`,
  lists: {
    customer: "customers",
    item: "items",
    term: "terms",
    class: "classes",
    department: "locations",
  } satisfies Record<ListKind, string>,
  search: (list: string) => `Search ${list}`,
  noHit: "No match in QuickBooks.",
  use: "Use",
  forName: (text: string) => `for ${text}`,
  create: (text: string) => `Create "${text}" in QuickBooks`,
  createButton: "Create",
  chosen: (text: string, target: string) => `"${text}" is matched to ${target}.`,
  created: (name: string) => `Customer "${name}" was created in QuickBooks.`,
  change: "Change",
  changeLabel: (text: string) => `Change the match for ${text}`,
  useAll: (count: number) => `Use all ${formatCount(count)} suggestions`,
  more: (count: number) => `Show ${formatCount(count)} more names`,
  rememberedTitle: "Saved matches",
  rememberedIntro: "We reuse these matches for every file of this company. Forget one and we'll ask again.",
  rememberedNames: {
    title: "Names",
    none: "No names saved for this company.",
    loading: "Loading the saved names",
    heads: ["In a file", "Kind", "In QuickBooks", "Action"] as readonly string[],
  },
  back: "Back to uploads",
} as const;
