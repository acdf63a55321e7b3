/**
 * Reports a UPS tracking number with a wrong check digit; other numbers are not judged.
 * @param text as written, spaces and case do not matter
 * @returns the right check digit when the last one is wrong, else undefined
 * @see UPS: letters count (code − 63) modulo 10, even places double, the digit completes the sum to a ten
 */
export function wrongUpsCheckDigit(text: string): string | undefined {
  const number = text.replaceAll(/[\s-]/g, "").toUpperCase();
  if (!/^1Z[0-9A-Z]{15}[0-9]$/.test(number)) return undefined;
  let sum = 0;
  for (let index = 2; index < 17; index++) {
    const code = number.charCodeAt(index);
    const value = code < 58 ? code - 48 : (code - 63) % 10;
    sum += index % 2 === 0 ? value : value * 2;
  }
  const digit = String((10 - (sum % 10)) % 10);
  return digit === number.at(-1) ? undefined : digit;
}
