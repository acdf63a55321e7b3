/** Name under which a typed account number is kept; the callback page forgets it. */
export const accountDraft = (realmId: string): string => `ups.${realmId}`;
