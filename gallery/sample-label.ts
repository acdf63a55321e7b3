/** A 4 × 6 in label with a one-inch ruler, which shows on paper whether it was printed at 100%. */
export function sampleLabel(words: string): Blob {
  const drawing = `BT /F1 14 Tf 24 390 Td (${words}) Tj ET 1 w 24 360 72 0 re S 24 352 0 16 re S 96 352 0 16 re S`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let text = "%PDF-1.4\n";
  const starts = objects.map((body, index) => {
    const start = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(start).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${starts.join("")}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return new Blob([text, table, end], { type: "application/pdf" });
}
