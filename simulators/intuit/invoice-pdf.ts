import type { Reply } from "../kit/http.ts";
import type { ApiCall } from "./api-call.ts";
import type { Entity } from "./books.ts";
import { readList, type Fields } from "./write-context.ts";

/** GET /invoice/{id}/pdf: one plain page. */
export function invoicePdf(call: ApiCall, invoice: Entity): Reply {
  call.tally.reads += 1;
  const customer = (invoice["CustomerRef"] ?? {}) as Fields;
  const lines = readList(invoice, "Line").map(
    (line) => `${String(line["Description"] ?? line["DetailType"])}   ${String(line["Amount"] ?? "")}`,
  );
  const body = buildPdf([
    `INVOICE ${String(invoice["DocNumber"] ?? "")}`,
    call.company.name,
    `To: ${String(customer["name"])}`,
    `Date: ${String(invoice["TxnDate"])}   Due: ${String(invoice["DueDate"])}`,
    ...lines.slice(0, 40),
    `Total: ${String(invoice["TotalAmt"])}`,
  ]);
  return { status: 200, headers: { "content-type": "application/pdf" }, body };
}

function buildPdf(lines: string[]): Buffer {
  const text = lines.map((line) => `(${line.replace(/[\\()]/g, "\\$&")}) Tj T*`).join("\n");
  const stream = `BT /F1 12 Tf 16 TL 56 740 Td\n${text}\nET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${Buffer.byteLength(stream, "latin1")} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  let out = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const offset = Buffer.byteLength(out, "latin1");
    out += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = Buffer.byteLength(out, "latin1");
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(out, "latin1");
}
