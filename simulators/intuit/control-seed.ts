import { findCompany, listCompanies, saveCompany, type Company } from "./companies.ts";
import { ControlError, type Control } from "./control-call.ts";
import { saveUser, type User } from "./users.ts";
import { dropAllButSigningKey } from "./signing-key.ts";
import { TABLES } from "./schema.ts";
import { mergePreferences, seedCompany, type CompanyPlan } from "./seed-company.ts";
import { fillDemo, fillEmpty } from "./seed-demo.ts";
import type { Simulator } from "./simulator.ts";

type Body = Record<string, unknown>;

/** Empties everything, then seeds `demo` (default) or nothing. */
export function controlReset(sim: Simulator, body: Body): unknown {
  for (const table of TABLES) if (table !== "setting") sim.db.exec(`DELETE FROM ${table}`);
  dropAllButSigningKey(sim);
  sim.books.forget();
  sim.faultRules.clear();
  sim.lateViews.forget();
  sim.throttle.forget();
  sim.clock.reset();
  if (body["seed"] === "empty") fillEmpty(sim);
  else fillDemo(sim);
  return { companies: listCompanies(sim).map(({ realmId, name }) => ({ realmId, name })) };
}

/** Adds users and companies. */
export function controlSeed(sim: Simulator, body: Body): unknown {
  for (const user of list(body["users"])) saveUser(sim, readUser(user));
  const companies = list(body["companies"]).map((plan) => {
    if (typeof plan["realmId"] !== "string") throw new ControlError("A company needs a realmId.");
    if (findCompany(sim, plan["realmId"])) throw new ControlError(`Company ${plan["realmId"]} exists.`);
    return seedCompany(sim, plan as unknown as CompanyPlan);
  });
  return { companies };
}

/** Reads a company, or changes its preferences, status, limits, admins or tax percent. */
export function controlCompany(sim: Simulator, realmId: string, { request, body }: Control): unknown {
  if (realmId === "") return { companies: listCompanies(sim) };
  const company = findCompany(sim, realmId);
  if (!company) throw new ControlError(`No company ${realmId}.`);
  if (request.method === "GET") return company;
  const change = body as Partial<Company>;
  const changed: Company = {
    ...company,
    ...change,
    realmId,
    preferences: mergePreferences(company.preferences, change.preferences ?? {}),
    limits: { ...company.limits, ...change.limits },
  };
  saveCompany(sim, changed);
  return changed;
}

function readUser(user: Body): User {
  return {
    givenName: "Sample",
    familyName: "Person",
    emailVerified: true,
    ...user,
    sub: String(user["sub"]),
    email: String(user["email"]),
  } as User;
}

function list(value: unknown): Body[] {
  return Array.isArray(value) ? (value as Body[]) : [];
}
