import { transaction, writeSetting } from "../kit/sqlite.ts";
import { DEMO_CLIENT, saveClient } from "./clients.ts";
import { saveUser, type User } from "./users.ts";
import { seedCompany } from "./seed-company.ts";
import type { Simulator } from "./simulator.ts";

const user = (sub: string, name: string, email: string): User => {
  const [givenName = "", familyName = ""] = name.split(" ");
  return { sub, givenName, familyName, email, emailVerified: true, phoneNumber: "+1 5550100" };
};

const OLIVE = "5d1f0c1e-0001-4a5e-9c11-000000000001";
const PIA = "5d1f0c1e-0001-4a5e-9c11-000000000004";
const NIA = "5d1f0c1e-0001-4a5e-9c11-000000000006";

const USERS: User[] = [
  user(OLIVE, "Olive Owner", "owner@acme.example"),
  user("5d1f0c1e-0001-4a5e-9c11-000000000002", "Carl Clerk", "clerk@acme.example"),
  user("5d1f0c1e-0001-4a5e-9c11-000000000003", "Lara Labels", "labels@acme.example"),
  user(PIA, "Pia Platform", "platform@dockside.example"),
  user("5d1f0c1e-0001-4a5e-9c11-000000000005", "Paul Plain", "plain@acme.example"),
  user(NIA, "Nia New", "new@newcomer.example"),
  {
    ...user("5d1f0c1e-0001-4a5e-9c11-000000000007", "Una Unverified", "una@acme.example"),
    emailVerified: false,
  },
];

/** Seeds the demo: seven users, four companies, one app. */
export function seedDemo(sim: Simulator): void {
  transaction(sim.db, () => fillDemo(sim));
}

/** Does the same inside an open transaction. */
export function fillDemo(sim: Simulator): void {
  fillEmpty(sim);
  for (const demoUser of USERS) saveUser(sim, demoUser);
  seedCompany(sim, {
    realmId: "9130357849016936",
    name: "Acme Tools",
    admins: [OLIVE, PIA],
    preferences: { SalesFormsPrefs: { CustomTxnNumbers: true } },
    invoices: 8,
  });
  seedCompany(sim, { realmId: "9130357849016944", name: "Bay Supply", admins: [OLIVE, PIA] });
  seedCompany(sim, {
    realmId: "9130357849016952",
    name: "Newcomer Trading",
    admins: [NIA, PIA],
    invoices: 3,
  });
  seedCompany(sim, {
    realmId: "9130357849016960",
    name: "Maple Goods",
    country: "CA",
    admins: [OLIVE, PIA],
    invoices: 4,
  });
}

/** Seeds only the demo app. */
export function fillEmpty(sim: Simulator): void {
  saveClient(sim, DEMO_CLIENT);
  writeSetting(sim.db, "seeded", true);
}
