/** Texts and places of digits as a format shows them, in order: `null` is a digit or nothing, `"0"` at least a zero. */
export type Shape = readonly (Place | string)[];
type Place = { readonly zero: boolean };

const TOKEN = /"([^"]*)"?|\\(.)|[_*].|\[[^\]]*\]|(general|standard)|([0#?])|([-+ ():'!^&~{}$])|[^]/giy;

/**
 * How a format shows a whole number where that is more than its digits: `00000`, `"INV-"0000`, `000-000`.
 * @returns undefined for formats that group, round, scale or leave it at the digits
 */
export function shapeOf(code: string): Shape | undefined {
  const shape: (Place | string)[] = [];
  for (const [token, quoted, escaped, general, digit, plain] of code.matchAll(TOKEN)) {
    if (token === ";") break;
    const text = quoted ?? escaped ?? plain;
    if (text !== undefined) shape.push(text);
    else if (general !== undefined || digit !== undefined)
      shape.push({ zero: digit === undefined || digit === "0" });
    else if (!/^(?:[_*]|\[[$A-Z])/i.test(token)) return undefined;
  }
  const zeros = shape.filter((each) => typeof each === "object" && each.zero).length;
  const digits = shape.filter((each) => typeof each === "object").length;
  const texts = shape.filter((each) => typeof each === "string" && each.trim() !== "").length;
  return digits > 0 && (zeros > 1 || texts > 0) ? shape : undefined;
}

/** A whole number, not below zero, as a format shows it; digits that find no place stand before the first. */
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
