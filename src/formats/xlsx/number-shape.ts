/** Texts and places of digits as a format shows them, in order; a place with `zero` shows a zero where no digit is left. */
export type Shape = readonly (Place | string)[];
type Place = { readonly zero: boolean };

const TOKEN = /"([^"]*)"?|\\(.)|[_*].|\[[^\]]*\]|(general|standard)|([0#?])|([-+ ():'!^&~{}$])|[^]/giy;

/**
 * How a format shows a whole number where that is more than its digits: `00000`, `"INV-"0000`, `000-000`.
 * @returns undefined for formats that group, round, scale or leave it at the digits
 */
export function shapeOf(code: string): Shape | undefined {
  const shape: (Place | string)[] = [];
  for (const token of code.matchAll(TOKEN)) {
    if (token[0] === ";") break;
    const part = partOf(token);
    if (part === undefined) return undefined;
    if (part !== "") shape.push(part);
  }
  const places = shape.filter((each) => typeof each === "object");
  const zeros = places.filter(({ zero }) => zero).length;
  const hasText = shape.some((each) => typeof each === "string" && each.trim() !== "");
  return places.length > 0 && (zeros > 1 || hasText) ? shape : undefined;
}

/** @returns "" for what is not shown, undefined for what makes more of a number than its digits */
function partOf([token, quoted, escaped, general, digit, plain]: RegExpExecArray):
  | Place
  | string
  | undefined {
  if (digit !== undefined) return { zero: digit === "0" };
  if (general !== undefined) return { zero: true };
  return quoted ?? escaped ?? plain ?? (/^(?:[_*]|\[[$A-Z])/i.test(token) ? "" : undefined);
}

/** A whole number, not below zero, as a format shows it; digits that find no place are before the first. */
export function showInShape(shape: Shape, number: number): string {
  const digits = String(number).split("");
  const first = shape.findIndex((each) => typeof each === "object");
  return shape
    .map((_, index) => index)
    .toReversed()
    .map((index) => {
      const place = shape[index];
      if (typeof place !== "object") return place ?? "";
      if (index === first) return digits.splice(0).join("") || (place.zero ? "0" : "");
      return digits.pop() ?? (place.zero ? "0" : "");
    })
    .toReversed()
    .join("")
    .trim();
}
