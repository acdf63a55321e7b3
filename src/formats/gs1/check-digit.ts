/**
 * Computes the check digit of a GS1 key, weights 3, 1, 3, … from the right.
 * @param digits the key without its check digit
 * @throws RangeError if a character is not a digit
 * @see GS1 General Specifications, "Standard check digit calculations for GS1 data structures"
 */
export function checkDigit(digits: string): number {
  if (!/^\d+$/.test(digits)) throw new RangeError(`No digits: ${digits}`);
  let sum = 0;
  for (let index = digits.length - 1, weight = 3; index >= 0; index -= 1, weight = 4 - weight)
    sum += (digits.charCodeAt(index) - 48) * weight;
  return (10 - (sum % 10)) % 10;
}

/** Whether the last digit is the check digit of the others. */
export const hasCheckDigit = (digits: string): boolean =>
  digits.length > 1 && checkDigit(digits.slice(0, -1)) === Number(digits.at(-1));
