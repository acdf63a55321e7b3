export type LabelTab = "gs1" | "carrier" | "history";

/** Finds the tab that an address opens; the value of a parameter does not matter. */
export function findTab(params: URLSearchParams): LabelTab {
  if (params.has("ups")) return "carrier";
  return params.has("history") ? "history" : "gs1";
}

/** Parameters of an address that opens a tab; keeps the others. */
export function paramsFor(tab: LabelTab, before: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(before);
  next.delete("ups");
  next.delete("history");
  if (tab === "carrier") next.set("ups", "1");
  if (tab === "history") next.set("history", "1");
  return next;
}
