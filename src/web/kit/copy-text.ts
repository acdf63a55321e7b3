/** Puts a text on the clipboard. @returns false where the browser does not allow it, as on plain http */
export async function copyText(text: string): Promise<boolean> {
  // Browsers leave it out on plain http, whatever its type says.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return false;
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
