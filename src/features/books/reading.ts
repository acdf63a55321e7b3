export {
  findName,
  indexNames,
  type ListEntry,
  type NameIndex,
  type NameMatch,
} from "#features/books/lists/rules-names.ts";
export type { BooksLists } from "#features/books/lists/rules.ts";
