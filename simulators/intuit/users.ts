import { findDocument, listDocuments, saveDocument } from "../kit/documents.ts";
import type { Simulator } from "./simulator.ts";

export type User = {
  sub: string;
  givenName: string;
  familyName: string;
  email: string;
  emailVerified: boolean;
  phoneNumber?: string;
  address?: { streetAddress: string; locality: string; region: string; postalCode: string; country: string };
};

const USERS = { name: "user", key: "sub" };

export const listUsers = (sim: Simulator) => listDocuments<User>(sim.db, USERS);

export const findUser = (sim: Simulator, sub: string) => findDocument<User>(sim.db, USERS, sub);

export const saveUser = (sim: Simulator, user: User) =>
  saveDocument(sim.db, USERS, { id: user.sub, document: user });

export function fullName(user: User): string {
  return `${user.givenName} ${user.familyName}`;
}
