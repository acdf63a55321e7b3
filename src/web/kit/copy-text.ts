/** Puts a text on the clipboard. @returns false if the browser does not allow it; on plain http there is no clipboard, despite its type */
export async function copyText(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  return (
    (await clipboard?.writeText(text).then(
      () => true,
      () => false,
    )) ?? false
  );
}
