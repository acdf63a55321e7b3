import { uploadWords } from "#features/invoices/web/words.ts";
import { joinList } from "#web/kit/join-list.ts";

/** Explains that sums add plain numbers if invoices are in several currencies. */
export function CurrencyNote({ currencies }: { currencies: readonly string[] }) {
  if (currencies.length < 2) return null;
  return <p>{uploadWords.severalCurrencies(joinList(currencies))}</p>;
}
