import { SHOWN, type Shown } from "#features/tracking/contract.ts";
import { useSearchParams } from "react-router";

const INVOICE = "invoice";
const PACKAGE = "package";
const SHOW = "show";
const DAY = "day";

/** The shown part and day of the list, invoice and package: all are in the address. */
export function useSelection() {
  const [params, setParams] = useSearchParams();
  const change = (name: string, value: string | null) => {
    const next = new URLSearchParams(params);
    if (value === null) next.delete(name);
    else next.set(name, value);
    return next;
  };
  const search = (next: URLSearchParams) => `?${next}`;
  const show = SHOWN.find((option) => option === params.get(SHOW)) ?? "all";
  const ofInvoice = (id: string | null) => {
    const next = change(INVOICE, id);
    next.delete(PACKAGE);
    return next;
  };
  return {
    show,
    invoiceId: params.get(INVOICE),
    number: params.get(PACKAGE),
    day: /^\d{4}-\d\d-\d\d$/.exec(params.get(DAY) ?? "")?.[0] ?? null,
    setShow: (next: Shown) => setParams(change(SHOW, next === "all" ? null : next), { replace: true }),
    /** Addresses of an invoice, of one of its packages, and of the list without either. */
    toInvoice: (id: string) => search(ofInvoice(id)),
    toPackage: (invoiceId: string, number: string) => {
      const next = change(INVOICE, invoiceId);
      next.set(PACKAGE, number);
      return search(next);
    },
    toList: search(ofInvoice(null)),
    /** The first invoice of a day is shown beside its list. */
    toDay: (day: string | null) => {
      const next = ofInvoice(null);
      if (day === null) next.delete(DAY);
      else next.set(DAY, day);
      return search(next);
    },
  };
}

export type Selection = ReturnType<typeof useSelection>;
