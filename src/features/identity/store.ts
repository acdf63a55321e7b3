import type { Db } from "#platform/db/connect.ts";
import type { Person } from "#features/identity/rules.ts";
import type { IdentityTables } from "#features/identity/tables.ts";

const tables = (db: Db) => db.withTables<IdentityTables>();

type PersonRow = Pick<IdentityTables["person"], "id" | "email" | "first_name" | "last_name" | "groups">;

/** Adds a person, or renews name and e-mail of the one with this `sub`; groups of a known person stay. */
export async function savePerson(
  db: Db,
  person: {
    id: string;
    sub: string;
    email: string;
    firstName: string;
    lastName: string;
    groups: Person["groups"];
    now: Date;
  },
): Promise<Person> {
  const row = await tables(db)
    .insertInto("person")
    .values({
      id: person.id,
      intuit_sub: person.sub,
      email: person.email,
      first_name: person.firstName,
      last_name: person.lastName,
      groups: [...person.groups],
      created_at: person.now,
      updated_at: person.now,
    })
    .onConflict((conflict) =>
      conflict.column("intuit_sub").doUpdateSet({
        email: person.email,
        first_name: person.firstName,
        last_name: person.lastName,
        updated_at: person.now,
      }),
    )
    .returning(["id", "email", "first_name", "last_name", "groups"])
    .executeTakeFirstOrThrow();
  return toPerson(row);
}

export type StoredSession = { person: Person; realmId: string | null; createdAt: Date; lastSeenAt: Date };

export async function findSession(db: Db, idHash: Buffer): Promise<StoredSession | null> {
  const row = await tables(db)
    .selectFrom("session")
    .innerJoin("person", "person.id", "session.person_id")
    .select(["person.id", "email", "first_name", "last_name", "groups"])
    .select(["session.realm_id", "session.created_at as session_created_at", "session.last_seen_at"])
    .where("id_hash", "=", idHash)
    .executeTakeFirst();
  if (!row) return null;
  return {
    person: toPerson(row),
    realmId: row.realm_id,
    createdAt: row.session_created_at,
    lastSeenAt: row.last_seen_at,
  };
}

export async function addSession(
  db: Db,
  session: { idHash: Buffer; personId: string; now: Date },
): Promise<void> {
  await tables(db)
    .insertInto("session")
    .values({
      id_hash: session.idHash,
      person_id: session.personId,
      realm_id: null,
      created_at: session.now,
      last_seen_at: session.now,
    })
    .execute();
}

export async function touchSession(db: Db, idHash: Buffer, now: Date): Promise<void> {
  await tables(db).updateTable("session").set({ last_seen_at: now }).where("id_hash", "=", idHash).execute();
}

export async function setSessionRealm(db: Db, idHash: Buffer, realmId: string): Promise<void> {
  await tables(db).updateTable("session").set({ realm_id: realmId }).where("id_hash", "=", idHash).execute();
}

export async function removeSession(db: Db, idHash: Buffer): Promise<void> {
  await tables(db).deleteFrom("session").where("id_hash", "=", idHash).execute();
}

export type Trip = IdentityTables["sign_in_trip"];

export async function addTrip(db: Db, trip: Trip): Promise<void> {
  await tables(db).insertInto("sign_in_trip").values(trip).execute();
}

/** Takes a trip out, so that it is good once, and drops those that are past their time. */
export async function takeTrip(db: Db, stateHash: Buffer, oldest: Date): Promise<Trip | null> {
  const trip = await tables(db)
    .deleteFrom("sign_in_trip")
    .where("state_hash", "=", stateHash)
    .returningAll()
    .executeTakeFirst();
  await tables(db).deleteFrom("sign_in_trip").where("created_at", "<", oldest).execute();
  return trip && trip.created_at >= oldest ? trip : null;
}

function toPerson(row: PersonRow): Person {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    groups: row.groups,
  };
}
