/** UPS writes some of its words in capitals: "FRONT DOOR" becomes "Front door". */
export function calm(text: string): string {
  if (text !== text.toUpperCase()) return text;
  return text.slice(0, 1) + text.slice(1).toLowerCase();
}
