import { findDocument, listDocuments, saveDocument } from "../kit/documents.ts";
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

const PEOPLE = { name: "person", key: "sub" };

export const listPeople = (sim: Simulator) => listDocuments<Person>(sim.db, PEOPLE);

export const findPerson = (sim: Simulator, sub: string) => findDocument<Person>(sim.db, PEOPLE, sub);

export const savePerson = (sim: Simulator, person: Person) =>
  saveDocument(sim.db, PEOPLE, { id: person.sub, document: person });

export function fullName(person: Person): string {
  return `${person.givenName} ${person.familyName}`;
}
