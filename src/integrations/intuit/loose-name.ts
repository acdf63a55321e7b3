/** Removes parts of a name that don't distinguish it; QuickBooks adds " (deleted)" to inactive names. */
export function looseName(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/ \(deleted\)$/i, "")
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?: ?/g, ":")
    .trim();
}
