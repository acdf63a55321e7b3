/** A file's own name for the screen: without folders, at most 200 characters. */
export function plainName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? "";
  return base.slice(0, 200).toWellFormed() || "labels.xlsx";
}

export const withoutEnding = (fileName: string): string =>
  fileName.replace(/\.(?:xlsx|csv|tsv|tab|txt)$/i, "");
