import type { Found } from "#formats/table/problem.ts";

/** Currency codes by lowercase English name, computed on first use. */
let codesByName: ReadonlyMap<string, string> | undefined;

function currencyCodes(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames("en", { type: "currency" });
  codesByName ??= new Map(
    Intl.supportedValuesOf("currency").map((code) => [looseCurrency(names.of(code) ?? code), code]),
  );
  return codesByName;
}

const looseCurrency = (text: string) =>
  text
    .toLowerCase()
    .replace(/^u\.?s\.?a?\.? /, "us ")
    .replace(/^american /, "us ")
    .replace(/s$/, "")
    .trim();

/** Parses a currency's code or name, or both: "US Dollar", "EUR - Euro", "United States Dollar - USD". */
export function currencyCode(text: string): string {
  if (/^[A-Za-z]{3}$/.test(text)) return text.toUpperCase();
  const beside = /^([A-Z]{3})\b|[(\s]([A-Z]{3})\)?$/.exec(text);
  return currencyCodes().get(looseCurrency(text)) ?? beside?.[1] ?? beside?.[2] ?? text;
}

export const notACurrency = (text: string): Found | undefined =>
  /^[A-Z]{3}$/.test(text) ? undefined : { code: "not_a_currency" };

/** Recognizes payment terms in a date cell. */
export const termsInDate = (text: string): Found | undefined =>
  /^(?:net\b|due\b|upon\b|on (?:receipt|delivery)|cod$|prepaid|immediate|\d+ ?days?\b|eom\b)/i.test(
    text.trim(),
  )
    ? { code: "terms_in_date" }
    : undefined;
