/** The name labels are saved under: the server's, else the upload's; in both cases it ends in ".pdf" once. */
export function pdfName(serverName: string | null, uploadName: string): string {
  if (serverName === null) return `${uploadName}.pdf`;
  return /\.pdf$/i.test(serverName) ? serverName : `${serverName}.pdf`;
}

export type LabelTab = "gs1" | "carrier" | "history";

/** The tab that an address opens; what a parameter says does not matter. */
export function tabOf(params: URLSearchParams): LabelTab {
  if (params.has("ups")) return "carrier";
  return params.has("history") ? "history" : "gs1";
}

/** The parameters of an address that opens a tab; others stay. */
export function paramsFor(tab: LabelTab, before: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(before);
  next.delete("ups");
  next.delete("history");
  if (tab === "carrier") next.set("ups", "1");
  if (tab === "history") next.set("history", "1");
  return next;
}
