import { uploadWords } from "#features/invoices/web/words.ts";

const list = new Intl.ListFormat(undefined, { type: "conjunction" });

/** Explains that sums add plain numbers if invoices are in several currencies. */
export function CurrencyNote({ currencies }: { currencies: readonly string[] }) {
  if (currencies.length < 2) return null;
  return <p>{uploadWords.severalCurrencies(list.format(currencies))}</p>;
}
