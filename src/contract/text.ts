import * as z from "zod";

/** No control character and no half of a surrogate pair. */
const ONE_LINE = /^[^\p{Cc}\p{Cs}]*$/u;
/** The same, but tabs and line breaks are allowed. */
const MANY_LINES = /^(?:[\t\n\r]|[^\p{Cc}\p{Cs}])*$/u;
/** End of the sentence about a refused text. */
export const LINE_TEXT_REFUSED = "must not have control characters in it";

/**
 * A text of one line: the type of every text input of a contract. PostgreSQL refuses U+0000, and QuickBooks keeps other
 * control characters invisibly.
 */
export const lineText = () => z.string().regex(ONE_LINE, LINE_TEXT_REFUSED);

/** A text that may have tabs and line breaks: a message, or the content of a cell. */
export const multilineText = () => z.string().regex(MANY_LINES, LINE_TEXT_REFUSED);

/** True for what `lineText` takes, for texts that come outside a contract: headers and names of files. */
export const isLineText = (text: string): boolean => ONE_LINE.test(text);
