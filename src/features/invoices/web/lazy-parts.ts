import { lazy } from "react";

/** Parts of the page that are loaded when they are first opened. */
export const CheckCard = lazy(async () => ({
  default: (await import("#features/invoices/web/check/check-card.tsx")).CheckCard,
}));

export const RememberedCard = lazy(async () => ({
  default: (await import("#features/invoices/web/names/remembered-card.tsx")).RememberedCard,
}));

export const UnknownNames = lazy(async () => ({
  default: (await import("#features/invoices/web/names/unknown-names.tsx")).UnknownNames,
}));

export const ReceiptCard = lazy(async () => ({
  default: (await import("#features/invoices/web/receipt/receipt-card.tsx")).ReceiptCard,
}));

export const FormCard = lazy(async () => ({
  default: (await import("#features/invoices/web/form/form-card.tsx")).FormCard,
}));
