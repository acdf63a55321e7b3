/** Normalizes a name for comparison. QuickBooks appends " (deleted)" to inactive names. */
export function looseName(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/ \(deleted\)$/i, "")
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?: ?/g, ":")
    .trim();
}
