/** Values of the characters in the check digit: digits as they are, letters from A = 2, modulo 10. */
const valueOfCharacter = (character: string): number =>
  /\d/.test(character) ? Number(character) : (character.charCodeAt(0) - 63) % 10;

/**
 * Builds a 1Z number: account, service, sequence and check digit.
 * @param account six letters and digits
 * @param service two digits
 * @param sequence from 0; seven digits of it are used
 */
export function buildTrackingNumber(account: string, service: string, sequence: number): string {
  const body = `${account}${service}${String(sequence % 10_000_000).padStart(7, "0")}`;
  const sum = [...body].reduce(
    (total, character, at) => total + valueOfCharacter(character) * (at % 2 === 0 ? 1 : 2),
    0,
  );
  return `1Z${body}${(10 - (sum % 10)) % 10}`;
}
