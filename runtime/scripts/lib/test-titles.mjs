/** So that a title names one test. */
const TITLE_MIN = 12;
/** The beginning of a line that has a title, with the start of the title itself. */
const BEFORE_TITLE = /^\s*(?:test\b.*|\)|\]\))?\(?\s*["'`][^"'`]*$/;
const SKIPPED = /\.(?:skip|todo|fails)\b/;

/** Whether a text has a test with a part of its title, which isn't skipped. */
export function hasTest(text, title) {
  if (title.length < TITLE_MIN) return false;
  return text.split("\n").some((line, at, lines) => {
    const start = line.indexOf(title);
    if (start < 0 || !BEFORE_TITLE.test(line.slice(0, start))) return false;
    return !SKIPPED.test(line.slice(0, start)) && !SKIPPED.test(lines[at - 1] ?? "");
  });
}
