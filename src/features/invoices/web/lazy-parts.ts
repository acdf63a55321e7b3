import { type ComponentType, lazy } from "react";

/** Parts of the page that are loaded when they are first opened. */
export const CheckCard = part(
  async () => (await import("#features/invoices/web/check/check-card.tsx")).CheckCard,
);

export const RememberedCard = part(
  async () => (await import("#features/invoices/web/names/remembered-card.tsx")).RememberedCard,
);

export const UnknownNames = part(
  async () => (await import("#features/invoices/web/names/unknown-names.tsx")).UnknownNames,
);

export const ReceiptCard = part(
  async () => (await import("#features/invoices/web/receipt/receipt-card.tsx")).ReceiptCard,
);

export const FormCard = part(
  async () => (await import("#features/invoices/web/form/form-card.tsx")).FormCard,
);

function part<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await load() }));
}
