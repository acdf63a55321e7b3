/** Bytes examined to distinguish UTF-16 without a byte order mark from other text. */
const SAMPLE_BYTES = 4096;

/**
 * The text of a file: UTF-8, UTF-16 or, when it is neither, Windows-1252, which Excel in the US and Western Europe
 * writes. A byte order mark wins; it is left out of the text.
 * @returns undefined for bytes that are no text
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const text = withoutEndMark(decode(bytes));
  const sample = text.slice(0, SAMPLE_BYTES);
  const controls = sample.match(new RegExp(CONTROL, "g"))?.length ?? 0;
  return controls > Math.max(1, sample.length / 200) ? undefined : text;
}

/** Where the first control character of a text is, -1 without one; tabs and line breaks are none. */
export const findControl = (text: string): number => text.search(CONTROL);

// eslint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const CONTROL = /[\u0000-\u0008\u000e-\u001f]/;

/** Programs of DOS end a file with Ctrl-Z, alone or behind line breaks. */
function withoutEndMark(text: string): string {
  let end = text.length;
  while (end > 0 && (text.charCodeAt(end - 1) === END_MARK || isLineBreak(text.charCodeAt(end - 1))))
    end -= 1;
  return text.includes("\u001a", end) ? text.slice(0, end) : text;
}

const END_MARK = 0x1a;

const isLineBreak = (code: number) => code === 10 || code === 13;

function decode(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** @returns undefined when the bytes alone do not show it */
function encodingOf(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  return zeroPattern(bytes.subarray(0, SAMPLE_BYTES));
}

/** Most characters of a table are below 256: in UTF-16 every second byte is then zero. */
function zeroPattern(sample: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const half = sample.length / 2;
  if (odd > half * 0.4 && even < half * 0.05) return "utf-16le";
  if (even > half * 0.4 && odd < half * 0.05) return "utf-16be";
  return undefined;
}
