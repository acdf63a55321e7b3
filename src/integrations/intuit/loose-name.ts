/** A name without what does not distinguish it; QuickBooks adds " (deleted)" to what is made inactive. */
export function looseName(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/ \(deleted\)$/i, "")
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?: ?/g, ":")
    .trim();
}
