import { counted } from "#web/kit/format.ts";

/** UI text for a company's API keys. */
export const keyWords = {
  row: {
    name: "keys",
    title: "API keys",
    note: "For your own software",
    loading: "Loading the API keys",
  },
  state: (keys: number) => (keys === 0 ? "None yet" : counted(keys, "key")),
  list: "API keys of this company",
  heads: ["Key", "Can", "Last used", ""],
  new: "New key",
  name: "Name",
  example: "Warehouse system",
  make: "Create key",
  made: (name: string) => `Key "${name}" created.`,
  once: "Copy it now. We won't show it again. Anyone who has it can do what you chose.",
  copy: "Copy key",
  secret: "The new key",
  makeError: "Key not created",
  facts: (ending: string, by: string, day: string) => `ends in ${ending} · created by ${by}, ${day}`,
  unused: "Never",
  revokedAt: (at: string) => `Revoked ${at}`,
  revoke: "Revoke",
  revoked: (name: string) => `Key ${name} revoked.`,
  revokeTitle: (name: string) => `Revoke the key ${name}?`,
  revokeText: "Software that uses it loses access. This can't be undone.",
  keep: "Keep the key",
  confirm: "Revoke the key",
  scopes: {
    legend: "It can",
    upload: "Upload invoices and read their results",
    read: "Read uploads, orders, labels, and tracking",
    orders: "Add orders",
  },
  can: (scopes: readonly string[]) => {
    const all = scopes.join(", ").toLowerCase();
    return all.charAt(0).toUpperCase() + all.slice(1);
  },
  use: (origin: string) =>
    `Your software sends the header "Authorization: Bearer" with the key: invoice files to ${origin}/api/v1/invoices, orders to ${origin}/api/v1/partner/orders.`,
} as const;
