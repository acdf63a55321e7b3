import { prefixOf } from "./sheet-text.ts";

/**
 * A stylesheet with one more cell style: wrapped text on a light yellow ground, kept as text when it is edited.
 * @param styles the stylesheet, one character a byte
 * @returns the style's number for cells, undefined when the stylesheet is not of the usual form
 */
export function addReasonStyle(styles: string): { styles: string; style: string } | undefined {
  const prefix = prefixOf(styles);
  const fills = sectionOf(styles, `${prefix}fills`);
  const formats = sectionOf(styles, `${prefix}cellXfs`);
  if (!fills || !formats) return undefined;
  const [fillId, style] = [countOf(fills.inner, `${prefix}fill`), countOf(formats.inner, `${prefix}xf`)];
  const fill = `<${prefix}fill><${prefix}patternFill patternType="solid"><${prefix}fgColor rgb="FFFFF2CC"/><${prefix}bgColor indexed="64"/></${prefix}patternFill></${prefix}fill>`;
  const format =
    `<${prefix}xf numFmtId="49" fontId="0" fillId="${fillId}" borderId="0" xfId="0" applyNumberFormat="1" applyFill="1" applyAlignment="1">` +
    `<${prefix}alignment vertical="top" wrapText="1"/></${prefix}xf>`;
  const withFormat = append(styles, formats, { xml: format, count: style + 1 });
  return { styles: append(withFormat, fills, { xml: fill, count: fillId + 1 }), style: String(style) };
}

type Section = { start: number; tagEnd: number; innerEnd: number; inner: string };

function sectionOf(styles: string, name: string): Section | undefined {
  const tag = new RegExp(`<${name}(?:\\s[^>]*[^/])?>`).exec(styles);
  if (!tag) return undefined;
  const tagEnd = tag.index + tag[0].length;
  const innerEnd = styles.indexOf(`</${name}`, tagEnd);
  if (innerEnd < 0) return undefined;
  return { start: tag.index, tagEnd, innerEnd, inner: styles.slice(tagEnd, innerEnd) };
}

const countOf = (inner: string, name: string): number =>
  inner.match(new RegExp(`<${name}(?=[\\s/>])`, "g"))?.length ?? 0;

/** Fills are before the cell formats, so the later section is changed first and the places of the other stay. */
function append(styles: string, section: Section, { xml, count }: { xml: string; count: number }): string {
  const tag = styles.slice(section.start, section.tagEnd).replace(/(\bcount\s*=\s*["'])\d+/, `$1${count}`);
  return (
    styles.slice(0, section.start) +
    tag +
    styles.slice(section.tagEnd, section.innerEnd) +
    xml +
    styles.slice(section.innerEnd)
  );
}
