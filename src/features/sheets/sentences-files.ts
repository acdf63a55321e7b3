import { numberParam as number, textParam as text, type Params } from "#formats/facts.ts";
import { formatCount } from "#formats/text/phrases.ts";

/** Why a file is none that can be read, and what to do about it; undefined for other codes. */
export function fileSentence(code: string, params: Params, record: string): string | undefined {
  const max = formatCount(number(params, "max"));
  const sentences: Record<string, () => string> = {
    empty_file: () => "The selected file is empty. Save it again and upload the saved file.",
    encrypted: () =>
      "The selected file is password protected. In Excel choose File > Info > Protect Workbook > Encrypt with Password, clear the password, save, and upload the file again.",
    macros: () =>
      "The selected file contains macros. In Excel choose File > Save As > Excel Workbook (*.xlsx), which leaves the macros out, and upload that file.",
    damaged: () =>
      `The selected file is damaged (${text(params, "where")}). Open it in Excel, save it again as an Excel Workbook (*.xlsx), and upload that file.`,
    not_plain: () =>
      "The selected file isn't a plain Excel file: it carries a document type declaration, which Excel never writes. Open it in Excel, save it as an Excel Workbook (*.xlsx), and upload that file.",
    no_sheets: () =>
      "The selected file has no sheet with cells. Put the rows on a sheet and upload the file again.",
    not_xlsx: () => otherKind(text(params, "what")),
    old_excel: () => otherKind("an Excel 97-2003 file (.xls)"),
    binary_excel: () => otherKind("an Excel Binary Workbook (.xlsb)"),
    open_document: () => otherKind("an OpenDocument spreadsheet (.ods)"),
    not_text: () =>
      "The selected file isn't a CSV file: it holds bytes that aren't text. Save it again as CSV or as an Excel Workbook (*.xlsx) and upload that file.",
    web_page: () =>
      "The selected file is a web page (HTML), not a CSV file. Open it in Excel, choose File > Save As > Excel Workbook (*.xlsx), and upload that file.",
    quote_not_closed: () =>
      `Row ${number(params, "row")} of the selected file opens a quotation mark (") that is never closed. Close it, or remove it, and upload the file again.`,
    control_character: () =>
      `Row ${number(params, "row")} of the selected file holds a control character (${controlName(number(params, "code"))}), which is no text. Remove it there, or type the value again, and upload the file again.`,
    text_too_long: () =>
      params["cell"] === undefined
        ? `Row ${number(params, "row")} of the selected file holds a text of more than ${max} characters. Shorten it, or look for a quotation mark that isn't closed, and upload the file again.`
        : `${text(params, "cell")} on sheet "${text(params, "sheet")}" holds more than ${max} characters, which Excel doesn't allow. Shorten it and upload the file again.`,
    too_large_unpacked: () =>
      `The selected file is too large when unpacked (limit ${number(params, "megabytes")} MB). ${FEWER_ROWS}`,
    too_many_parts: () =>
      "The selected file has too many parts inside to be a plain spreadsheet. Copy the rows into a new one and upload that file.",
    too_many_texts: () => `The selected file holds too many texts. ${FEWER_ROWS}`,
    too_many_cells: () =>
      `The selected file has more than ${max} cells with values. ${params["isText"] ? splitFile(record) : FEWER_ROWS}`,
    too_many_columns: () =>
      params["isText"]
        ? `The selected file has more than ${max} columns with values. Remove the columns you don't need and upload the file again.`
        : `Sheet "${text(params, "sheet")}" has a value in ${text(params, "cell")}, beyond the last column allowed (${text(params, "last")}). Delete the columns you don't need and upload the file again.`,
    too_many_rows: () =>
      params["isText"]
        ? `The selected file has more than ${max} rows with values. ${splitFile(record)}`
        : `Sheet "${text(params, "sheet")}" has more than ${max} rows with values. Split it into several files and upload them one after the other.`,
    took_too_long: () => `Reading the selected file took too long. ${FEWER_ROWS}`,
    too_much_memory: () => `The selected file needs too much memory to read. ${FEWER_ROWS}`,
  };
  return sentences[code]?.();
}

const FEWER_ROWS = "Copy only the rows you need into a new file and upload that.";

const otherKind = (what: string) =>
  `The selected file must be an XLSX spreadsheet. It is ${what}. In Excel choose File > Save As > Excel Workbook (*.xlsx) and upload that file.`;

const splitFile = (record: string) =>
  `Split it into several files, keeping the lines of each ${record} together, and upload them one after the other.`;

function controlName(code: number): string {
  const point = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return code === 0 ? `NUL, ${point}` : point;
}
