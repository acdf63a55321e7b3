// @vitest-environment jsdom
import { createRealmStore } from "#web/kit/session/realm-store.ts";
import {
  toAuthStatus,
  chooseCompany,
  isCompanyAdmin,
  knownGroups,
  signedOutSession,
  fullName,
} from "#web/kit/session/session.ts";
import { acme, beta } from "#web/test-support.tsx";
import { beforeEach, expect, test } from "vitest";

beforeEach(() => window.localStorage.clear());

const storage = () => window.localStorage;

test("AU-04 before anything is known the session is unknown and empty", () => {
  expect(signedOutSession).toMatchObject({
    realmId: null,
    authStatus: "unknown",
    authError: null,
    company: null,
    companies: [],
    userName: "",
    email: "",
    groups: [],
    isCompanyAdmin: false,
  });
});

test("AU-02 AU-03 the status goes from unknown to loading to success or error, and from error to loading on retry", () => {
  expect(toAuthStatus({ status: "pending", fetchStatus: "idle" })).toBe("unknown");
  expect(toAuthStatus({ status: "pending", fetchStatus: "fetching" })).toBe("loading");
  expect(toAuthStatus({ status: "success", fetchStatus: "idle" })).toBe("success");
  expect(toAuthStatus({ status: "success", fetchStatus: "fetching" })).toBe("success");
  expect(toAuthStatus({ status: "error", fetchStatus: "idle" })).toBe("error");
  expect(toAuthStatus({ status: "error", fetchStatus: "fetching" })).toBe("loading");
});

test("AU-05 the user's name is first name, space, last name, trimmed when one is empty", () => {
  expect(fullName({ first_name: "Olive", last_name: "Owner" })).toBe("Olive Owner");
  expect(fullName({ first_name: "", last_name: "Owner" })).toBe("Owner");
  expect(fullName({ first_name: "Olive", last_name: "" })).toBe("Olive");
});

test("AU-06 groups the product does not know are ignored", () => {
  expect(knownGroups(["admin", "wizard", "app"])).toEqual(["app", "admin"]);
});

test("CO-01 the realm id is kept in local storage under realmId", () => {
  createRealmStore(storage).set("9341");
  expect(window.localStorage.getItem("realmId")).toBe("9341");
  expect(createRealmStore(storage).get()).toBe("9341");
});

test("CO-02 null, or the text null, removes the entry", () => {
  const store = createRealmStore(storage);
  for (const none of [null, "null"]) {
    store.set("9341");
    store.set(none);
    expect([store.get(), window.localStorage.getItem("realmId")]).toEqual([null, null]);
  }
  window.localStorage.setItem("realmId", "null");
  expect(createRealmStore(storage).get()).toBeNull();
});

test("CO-13 another tab's switch does not reach this page", () => {
  const store = createRealmStore(storage);
  store.set("1");
  window.localStorage.setItem("realmId", "2");
  expect(store.get()).toBe("1");
});

test("CO-14 with blocked storage the choice lasts for the page", () => {
  const store = createRealmStore(() => {
    throw new DOMException("denied", "SecurityError");
  });
  store.set("9341");
  expect(store.get()).toBe("9341");
});

test("CO-07 CO-08 the company with the stored id is current, else the first, else none", () => {
  expect(chooseCompany([acme, beta], "2")).toBe(beta);
  expect(chooseCompany([acme, beta], "77")).toBe(acme);
  expect(chooseCompany([acme, beta], null)).toBe(acme);
  expect(chooseCompany([], "2")).toBeNull();
});

test("RL-01 a company without an admin counts everyone as its admin", () => {
  expect(isCompanyAdmin({ ...acme, admin: null }, "anyone@x.example")).toBe(true);
});

test("RL-02 the user with the admin's e-mail is admin, compared as is", () => {
  expect(isCompanyAdmin(acme, "olive@acme.example")).toBe(true);
  expect(isCompanyAdmin(acme, "Olive@acme.example")).toBe(false);
});

test("RL-03 no other user is admin, and none without a company", () => {
  expect(isCompanyAdmin(beta, "olive@acme.example")).toBe(false);
  expect(isCompanyAdmin(null, "olive@acme.example")).toBe(false);
});
