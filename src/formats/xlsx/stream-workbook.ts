import { writeXlsxStream } from "hucre/xlsx";
import { plainText } from "./write-workbook.ts";

export type StreamedColumn = { header: string; width?: number };

/**
 * A workbook of one sheet, piece by piece: however many rows there are, few are in memory. A sheet that is full is
 * followed by another one. Every text is a cell of text, so that nothing in it can act as a formula, now or once edited.
 */
export function streamWorkbook(
  name: string,
  columns: readonly StreamedColumn[],
  rows: AsyncIterable<readonly (string | number | null)[]>,
): AsyncGenerator<Uint8Array> {
  const plain = async function* () {
    for await (const row of rows)
      yield row.map((value) => (typeof value === "string" ? plainText(value) : value));
  };
  return piecesOf(
    writeXlsxStream(plain(), {
      name,
      columns: columns.map(({ header, width = 14 }) => ({ header, width, style: { numFmt: "@" } })),
      freezePane: { rows: 1 },
    }),
  );
}

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}
