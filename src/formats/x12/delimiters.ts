/** Characters that separate what an interchange holds; each is one character. */
export type Delimiters = {
  element: string;
  component: string;
  /** Null before release 4020, which has none. */
  repetition: string | null;
  segment: string;
};

/** The usual ones of releases from 4020 on. */
export const DEFAULT_DELIMITERS: Delimiters = { element: "*", component: ">", repetition: "^", segment: "~" };

/** A character that cannot separate anything, or one that separates two things; undefined for good delimiters. */
export function findDelimiterFault({
  element,
  component,
  repetition,
  segment,
}: Delimiters): string | undefined {
  const all = [element, component, segment, ...(repetition === null ? [] : [repetition])];
  return all.find(
    (each, at) => !isDelimiter(each) || all.indexOf(each) !== at || (isLineBreak(each) && each !== segment),
  );
}

/** Line breaks end segments, or are between them. */
const isLineBreak = (text: string) => text === "\n" || text === "\r";

/** ASCII, so that a byte of another letter is never taken for one; no database accepts NUL in text. */
const isDelimiter = (text: string) => /^[\u0001-\u001f!-/:-@[-`{-\u007f]$/.test(text);

export const holdsDelimiter = (
  value: string,
  { element, component, repetition, segment }: Delimiters,
): boolean =>
  value.includes(element) ||
  value.includes(component) ||
  value.includes(segment) ||
  (repetition !== null && value.includes(repetition));
