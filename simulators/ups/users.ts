/** A shipper account at UPS: six letters and digits, and its billing address. */
export type Account = {
  number: string;
  name: string;
  postalCode: string;
  country: string;
  /** Can no longer be billed. */
  closed?: true;
};

/** A UPS ID, and the accounts that its login may use. */
export type User = { id: string; name: string; accounts: readonly string[] };

export const ACCOUNTS: readonly Account[] = [
  { number: "1A2B3C", name: "Acme Tools", postalCode: "94043", country: "US" },
  { number: "012345", name: "Bay Area Fixtures", postalCode: "94607", country: "US" },
  // Accounts without a user here, which pay for the shipments of others.
  { number: "7E8F9A", name: "The retailer", postalCode: "30339", country: "US" },
  { number: "R9H77W", name: "The retailer, drop-ship", postalCode: "30339", country: "US" },
  { number: "C105ED", name: "A closed account", postalCode: "60601", country: "US", closed: true },
];

export const USERS: readonly User[] = [
  { id: "acme-shipping", name: "Sam Shipper", accounts: ["1A2B3C"] },
  { id: "bay-shipping", name: "Bea Shipper", accounts: ["012345"] },
  // Signs in like the others, and fails at the first label: a login proves nothing about an account.
  { id: "no-account", name: "Nora Newcomer", accounts: [] },
];

export const findAccount = (number: string) => ACCOUNTS.find((account) => account.number === number);
export const findUser = (id: string) => USERS.find((user) => user.id === id);
