/** A part of a dispute pack, as PDF; without one, why it is missing, as a sentence. */
export type Part = { title: string; pdf: Uint8Array } | { title: string; missing: string };

/** The invoice of a pack, on its first page. */
export type PackHead = { number: string; customer: string; madeAt: string };
