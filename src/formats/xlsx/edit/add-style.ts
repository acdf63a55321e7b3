import { prefixOf, withValue } from "./xml-tags.ts";

/**
 * A stylesheet with one more cell style: wrapped text on a light yellow ground, kept as text when it is edited.
 * @param styles the stylesheet, one character a byte
 * @returns the style's number for cells, undefined when the stylesheet is not of the usual form
 */
export function addReasonStyle(styles: string): { styles: string; style: string } | undefined {
  const prefix = prefixOf(styles);
  const fill = `<${prefix}fill><${prefix}patternFill patternType="solid"><${prefix}fgColor rgb="FFFFF2CC"/><${prefix}bgColor indexed="64"/></${prefix}patternFill></${prefix}fill>`;
  const filled = append(styles, { list: `${prefix}fills`, element: `${prefix}fill`, xml: fill });
  const format =
    `<${prefix}xf numFmtId="49" fontId="0" fillId="${filled?.number}" borderId="0" xfId="0" applyNumberFormat="1" applyFill="1" applyAlignment="1">` +
    `<${prefix}alignment vertical="top" wrapText="1"/></${prefix}xf>`;
  const styled =
    filled && append(filled.styles, { list: `${prefix}cellXfs`, element: `${prefix}xf`, xml: format });
  return styled && { styles: styled.styles, style: String(styled.number) };
}

/** One more element at the end of a list, and its number, counted from 0; undefined when there is no such list. */
function append(
  styles: string,
  { list, element, xml }: { list: string; element: string; xml: string },
): { styles: string; number: number } | undefined {
  const [before, tag, inner] =
    new RegExp(`(<${list}(?:\\s[^>]*[^/])?>)([\\s\\S]*?)(?=</${list})`).exec(styles) ?? [];
  if (before === undefined || tag === undefined || inner === undefined) return undefined;
  const number = inner.match(new RegExp(`<${element}(?=[\\s/>])`, "g"))?.length ?? 0;
  const counted = tag.includes("count") ? withValue(tag, "count", String(number + 1)) : tag;
  return { styles: styles.replace(before, () => counted + inner + xml), number };
}
