import * as z from "zod";

/** Excludes control characters and unpaired surrogates. */
const ONE_LINE = /^[^\p{Cc}\p{Cs}]*$/u;
/** The same, but allows tabs and line breaks. */
const MANY_LINES = /^(?:[\t\n\r]|[^\p{Cc}\p{Cs}])*$/u;
/** End of the sentence about rejected text. */
export const LINE_TEXT_REFUSED = "must not have control characters in it";

/**
 * One line of text: the type of every text input in a contract. PostgreSQL rejects U+0000, and QuickBooks
 * keeps other control characters invisibly.
 */
export const lineText = () => z.string().regex(ONE_LINE, LINE_TEXT_REFUSED);

/** Has a character that is seen; an empty text is refused by its length. Blanks without width look like no text at all. */
const VISIBLE = /^$|[^\s\p{DI}\u2800]/u;

/** One line that a user must fill in. */
export const filledText = (max: number) =>
  lineText()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => VISIBLE.test(text), "must not be empty");

/** Text with tabs and line breaks, such as a message or the content of a cell. */
export const multilineText = () => z.string().regex(MANY_LINES, LINE_TEXT_REFUSED);

/** Whether `lineText` accepts a text, for text from outside a contract such as headers and file names. */
export const isLineText = (text: string): boolean => ONE_LINE.test(text);
