import { lazyPart as part } from "#web/kit/lazy-part.tsx";

/** Parts of the page, loaded when they are first opened. */
export const ReviewSection = part(
  async () => (await import("#features/invoices/web/review/review-section.tsx")).ReviewSection,
);

export const RememberedCard = part(
  async () => (await import("#features/invoices/web/names/remembered-card.tsx")).RememberedCard,
);

export const UnknownNames = part(
  async () => (await import("#features/invoices/web/names/unknown-names.tsx")).UnknownNames,
);

export const FormCard = part(
  async () => (await import("#features/invoices/web/form/form-card.tsx")).FormCard,
);
