/**
 * Trims an e-mail and lowercases A to Z only. Unicode folding would turn look-alikes into other users'
 * e-mails: U+212A, the Kelvin sign, becomes "k".
 */
export const foldEmail = (typed: string): string =>
  typed.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Whether a folded e-mail can identify a user: one @, no spaces, and no letter with another plain lowercase
 * form, such as a look-alike. PostgreSQL's lower() leaves it unchanged.
 */
export const isPlainEmail = (email: string): boolean =>
  /^[^\s@]+@[^\s@]+$/.test(email) && email.normalize("NFKC").toLowerCase() === email;
