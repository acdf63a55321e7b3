import type { Simulator } from "./simulator.ts";

export type Person = {
  sub: string;
  givenName: string;
  familyName: string;
  email: string;
  emailVerified: boolean;
  phoneNumber?: string;
  address?: { streetAddress: string; locality: string; region: string; postalCode: string; country: string };
};

export function listPeople(sim: Simulator): Person[] {
  return sim.db
    .prepare("SELECT doc FROM person ORDER BY position")
    .all()
    .map((row) => JSON.parse(String(row["doc"])) as Person);
}

export function findPerson(sim: Simulator, sub: string): Person | undefined {
  const row = sim.db.prepare("SELECT doc FROM person WHERE sub = ?").get(sub);
  return row ? (JSON.parse(String(row["doc"])) as Person) : undefined;
}

export function savePerson(sim: Simulator, person: Person): void {
  sim.db
    .prepare(
      `INSERT INTO person (sub, doc, position) VALUES (?, ?, (SELECT count(*) FROM person))
       ON CONFLICT (sub) DO UPDATE SET doc = excluded.doc`,
    )
    .run(person.sub, JSON.stringify(person));
}

export function fullName(person: Person): string {
  return `${person.givenName} ${person.familyName}`;
}
