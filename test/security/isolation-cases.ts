import { KEY_SCOPES, listKeyScopes, type Endpoint } from "#contract/endpoint.ts";
import { ACME, BAY, NEWCOMER } from "../support/intuit.ts";
import { makeLabelSettings } from "../support/labels.ts";
import { CARRIER_SETTINGS, SHIP_TO } from "../support/shipping.ts";
import { FEWER_GROUPS, type World } from "./isolation-world.ts";
import { NO_ID, makeSample, toSchema } from "./sample-endpoints.ts";
import { callName } from "./walk-endpoints.ts";

/** One request, and what it must be answered with: status and code. */
export type Case = {
  kind: string;
  name: string;
  endpoint: Endpoint;
  path: string;
  headers: Record<string, string>;
  body?: string | FormData;
  expected: string;
  /** Requests with one text here must get the very same answer: what is not theirs looks like what is not there. */
  alike?: string;
};

/** Parameters and queries that name no object: they reach nothing of another company. */
const NO_OBJECT = new Set(
  "realm_id mode limit offset before after search filter q revision kind text email refusal undo seq format rows paper ups_account customer reason show since list run file recording_id day from until starts".split(
    " ",
  ),
);
/** Ids that only ever find what the caller's own session has; `test/security/isolation.full.test.ts` tries them apart. */
const OWN_ONLY = new Set([
  "DELETE /api/v1/user/devices id",
  // An invitation is read and declined by any caller who has its link.
  "GET /api/v1/invitation invitation",
  "POST /api/v1/invitation/decline invitation",
  "POST /api/v1/invitation/accept invitation",
  // Operators open uploads of any company, under its grant.
  "GET /api/v1/admin/uploads/:upload_id upload_id",
  // Operators read the recordings of all companies.
  "GET /api/v1/admin/recordings/:recording_id recording_id",
  "GET /api/v1/admin/recordings/:recording_id/player recording_id",
]);

/** Bodies that an endpoint takes only with certain words in them; of all others the schema says enough. */
const BODIES: Readonly<Record<string, object>> = {
  "POST /api/v1/invoices/:upload_id/invoices/:seq/answer": { is_in_books: true },
  "POST /api/v1/invoices/checks/:upload_id/again": { cells: [{ row: 2, field: "qty", value: "3" }] },
  "POST /api/v1/company/webhooks/replay-failed": { since: "2026-01-01T00:00:00.000Z" },
  "PUT /api/v1/labels/settings": makeLabelSettings(),
  "PUT /api/v1/labels/carrier-settings": CARRIER_SETTINGS,
  "POST /api/v1/labels/open-orders/address": { order_id: NO_ID, ship_to: SHIP_TO },
};

const UNKNOWN_REALM = "1234567890123456";

type Way = { query?: string; header?: string; body?: string };

/** All cases of one endpoint. What decides is its own declaration, so a new endpoint has its cases at once. */
export function listCases(endpoint: Endpoint, world: World): Case[] {
  const { access } = endpoint;
  if (access.kind === "public") return [];
  if (access.kind === "key") return withKeys(endpoint, world);
  return [
    ...(listKeyScopes(access).length > 0 ? withKeys(endpoint, world) : []),
    ...withoutSession(endpoint, world),
    ...(access.group ? withoutGroup(endpoint, world) : []),
    ...(access.kind === "member" ? ofOthers(endpoint, world) : []),
    ...(access.kind === "member" && access.admin ? notAdmin(endpoint, world) : []),
    ...(access.kind === "member" ? withIds(endpoint, world) : []),
    ...doubled(endpoint, world),
  ];
}

/** Names of parameters and queries of an endpoint that no case knows how to try. */
export function untriedNames(endpoint: Endpoint, { acmes }: World): string[] {
  const names = [endpoint.params, endpoint.query].flatMap((shape) => Object.keys(shape?.shape ?? {}));
  return names.filter(
    (name) => !NO_OBJECT.has(name) && !(name in acmes) && !OWN_ONLY.has(`${callName(endpoint)} ${name}`),
  );
}

/** Where a company can be named, from a caller that is not let into it. */
const ways = (realm: string, own: string): Record<string, Way> => ({
  "in the query": { query: realm },
  "in the header": { header: realm },
  "in the query, another in the header": { query: realm, header: own },
  "in the query, another in the body": { query: realm, body: own },
  "in the header, another in the body": { header: realm, body: own },
});

function withoutSession(endpoint: Endpoint, world: World): Case[] {
  const cookies: Record<string, string> = {
    none: "",
    guessed: `dockside_session=${"a".repeat(43)}`,
    empty: "dockside_session=",
    unreadable: "dockside_session=%00",
    "signed out": world.cookies["signed out"] ?? "",
  };
  const named: Way[] = [{ query: ACME }, { header: UNKNOWN_REALM }];
  return Object.entries(cookies).flatMap(([name, cookie]) =>
    named.map((way) =>
      toCase(endpoint, world, {
        kind: "no session",
        name: `session ${name}, ${JSON.stringify(way)}`,
        cookie,
        way,
        expected: "401 sign_in_required",
        alike: `${callName(endpoint)} without session`,
      }),
    ),
  );
}

/**
 * No key, one that isn't a key or is revoked, one of another company than the call names, sessions instead of keys, keys
 * without the scope, and ids of another company than the key's.
 */
function withKeys(endpoint: Endpoint, world: World): Case[] {
  const { admin = "", stranger = "" } = world.cookies;
  const { acme = "", bay = "", revoked = "", disconnected = "" } = world.keys;
  const guess = `dk_${"a".repeat(43)}`;
  const wrong = [
    "",
    "Bearer",
    "Bearer dk_",
    acme,
    `Basic ${acme}`,
    `Bearer ${acme}x`,
    `Bearer ${acme.slice(3)}`,
  ];
  const tries: { name: string; authorization: string; cookie?: string; way?: Way }[] = [
    ...wrong.map((authorization, at) => ({ name: `malformed ${at}`, authorization, cookie: admin })),
    ...[guess, revoked, disconnected].flatMap((key) =>
      [{}, { query: ACME }, { header: ACME }].map((way) => ({
        name: `key ${key === guess ? "unknown" : key === revoked ? "revoked" : "of a disconnected company"}`,
        authorization: `Bearer ${key}`,
        way,
      })),
    ),
    ...[ACME, UNKNOWN_REALM, "x", ""].flatMap((realm) =>
      [{ query: realm }, { header: realm }, { query: realm, header: BAY }].map((way) => ({
        name: `key of Bay, company ${realm}`,
        authorization: `Bearer ${bay}`,
        way,
        cookie: stranger,
      })),
    ),
  ];
  const { access } = endpoint;
  // An endpoint for sessions too takes a request without this header as one of a session.
  const claims = ({ authorization }: { authorization: string }) =>
    access.kind === "key" || authorization.startsWith("Bearer");
  const withoutKey = tries.filter(claims).map(({ name, authorization, cookie = "", way = {} }) => {
    const example = toCase(endpoint, world, {
      kind: "no key",
      name: `${name}, ${JSON.stringify(way)}`,
      cookie,
      way,
      expected: "401 key_required",
      alike: `${callName(endpoint)} without key`,
    });
    return { ...example, headers: { ...example.headers, ...(authorization ? { authorization } : {}) } };
  });
  const withKey = (key: string | undefined, example: Omit<Try, "cookie" | "way">): Case => {
    const made = toCase(endpoint, world, { ...example, cookie: admin, way: {} });
    return { ...made, headers: { ...made.headers, authorization: `Bearer ${key}` } };
  };
  const scopes = listKeyScopes(access);
  const narrow = KEY_SCOPES.filter((scope) => !scopes.includes(scope)).map((scope) =>
    withKey(world.keys[scope], {
      kind: "missing scope",
      name: `key with only ${scope}`,
      expected: "403 missing_scope",
      alike: `${callName(endpoint)} without scope`,
    }),
  );
  const theirs = Object.keys({ ...endpoint.params?.shape, ...endpoint.query?.shape }).flatMap((name) =>
    [...(world.acmes[name] ?? []), ...(name in world.acmes ? [NO_ID] : [])].map((id) =>
      withKey(bay, {
        kind: "object of another realm",
        name: `key of Bay, ${name} ${id}`,
        ids: { [name]: id },
        expected: "404 not_found",
        alike: `${callName(endpoint)} ${name} by key`,
      }),
    ),
  );
  return [...withoutKey, ...narrow, ...theirs];
}

function withoutGroup(endpoint: Endpoint, world: World): Case[] {
  const group = "group" in endpoint.access ? endpoint.access.group : undefined;
  return Object.entries(FEWER_GROUPS)
    .filter(([, groups]) => group && !groups.includes(group))
    .flatMap(([who]) =>
      [ACME, BAY, UNKNOWN_REALM].flatMap((realm) =>
        (["query", "header"] as const).map((place) =>
          toCase(endpoint, world, {
            kind: "missing group",
            name: `${who}, company ${realm} in the ${place}`,
            cookie: world.cookies[who] ?? "",
            way: { [place]: realm },
            expected: "403 missing_group",
            alike: `${callName(endpoint)} without group`,
          }),
        ),
      ),
    );
}

/** Foreign, unknown, disconnected and impossible companies, and one's own that one was removed from. */
function ofOthers(endpoint: Endpoint, world: World): Case[] {
  const realms = [ACME, UNKNOWN_REALM, NEWCOMER, "0", "x"];
  const tries = (who: string, own: string, realmIds: readonly string[]) =>
    realmIds.flatMap((realm) =>
      Object.entries(ways(realm, own)).map(([place, way]) =>
        toCase(endpoint, world, {
          kind: who.startsWith("removed") ? "removed member" : "other realm",
          name: `${who}, company ${realm} ${place}`,
          cookie: world.cookies[who] ?? "",
          way,
          expected: "403 not_a_member",
          alike: `${callName(endpoint)} of others`,
        }),
      ),
    );
  return [
    ...tries("stranger", BAY, realms),
    ...tries("outsider", ACME, [ACME, UNKNOWN_REALM]),
    ...tries("removed", ACME, [ACME]),
    ...tries("removed elsewhere", ACME, [ACME]),
    ...["removed", "removed elsewhere"].map((who) =>
      toCase(endpoint, world, {
        kind: "removed member",
        name: `${who}, by the company of the session`,
        cookie: world.cookies[who] ?? "",
        way: {},
        expected: "403 not_a_member",
        alike: `${callName(endpoint)} of others`,
      }),
    ),
  ];
}

const notAdmin = (endpoint: Endpoint, world: World): Case[] =>
  Object.entries({ ...ways(ACME, BAY), "of the session": {} }).map(([place, way]) =>
    toCase(endpoint, world, {
      kind: "member who is not admin",
      name: `member, company ${place}`,
      cookie: world.cookies["member"] ?? "",
      way,
      expected: "403 not_company_admin",
    }),
  );

/** Ids of objects that exist in another company, and ids of nothing. */
function withIds(endpoint: Endpoint, world: World): Case[] {
  const names = Object.keys({ ...endpoint.params?.shape, ...endpoint.query?.shape });
  return names
    .filter((name) => name in world.acmes)
    .flatMap((name) => {
      const theirs = world.acmes[name] ?? [];
      const { access } = endpoint;
      const isForAdmins = access.kind === "member" && access.admin === true;
      const guesses = [NO_ID, "ffffffff-ffff-4fff-bfff-ffffffffffff", theirs[0]?.replace(/.$/, "0") ?? NO_ID];
      // The admin of Acme is a member of Bay: the id is theirs, but not in the company that the call names.
      return [...theirs, ...guesses].flatMap((id) =>
        [
          ["stranger", { query: BAY }] as const,
          ["stranger", { query: BAY, header: ACME }] as const,
          ["admin", { query: BAY }] as const,
          ["admin", { query: BAY, header: ACME }] as const,
        ].map(([who, way]) =>
          toCase(endpoint, world, {
            kind: theirs.includes(id) ? "object of another realm" : "guessed id",
            name: `${who}, ${name} ${theirs.indexOf(id) >= 0 ? `of Acme ${theirs.indexOf(id)}` : id}, ${JSON.stringify(way)}`,
            cookie: world.cookies[who] ?? "",
            way,
            ids: { [name]: id },
            // A member who isn't an admin learns nothing of any id.
            expected: who === "admin" && isForAdmins ? "403 not_company_admin" : "404 not_found",
            alike: `${callName(endpoint)} ${name} ${isForAdmins ? who : ""}`,
          }),
        ),
      );
    });
}

/** Every query parameter twice; of a company, one's own and another's in both orders. */
function doubled(endpoint: Endpoint, world: World): Case[] {
  return Object.keys(endpoint.query?.shape ?? {}).flatMap((name) => {
    const pairs =
      name === "realm_id"
        ? [
            [ACME, BAY],
            [BAY, ACME],
            [ACME, ACME],
            [ACME, NEWCOMER],
            [NEWCOMER, ACME],
          ]
        : [["1", "1"]];
    return pairs.map((pair) => {
      const example = toCase(endpoint, world, {
        kind: "doubled parameter",
        name: `admin, ${name} twice: ${pair.join(", ")}`,
        cookie: world.cookies["admin"] ?? "",
        way: { query: ACME },
        expected: "400 invalid_request",
      });
      const url = new URL(example.path, "http://x");
      url.searchParams.delete(name);
      for (const value of pair) url.searchParams.append(name, value);
      return { ...example, path: `${url.pathname}${url.search}` };
    });
  });
}

type Try = Pick<Case, "kind" | "name" | "expected" | "alike"> & {
  cookie: string;
  way: Way;
  ids?: Record<string, string>;
};

/** A request that is good but for what is tried. */
function toCase(endpoint: Endpoint, world: World, { cookie, way, ids = {}, ...rest }: Try): Case {
  const value = (name: string, sample: unknown) => ids[name] ?? world.acmes[name]?.[0] ?? String(sample);
  const samples = (shape: Endpoint["query"]) =>
    Object.entries((shape ? makeSample(toSchema(shape)) : {}) as Record<string, unknown>);
  const params = Object.fromEntries(
    samples(endpoint.params).map(([name, sample]) => [name, value(name, sample)]),
  );
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const required = samples(endpoint.query).filter(
    ([name]) =>
      name !== "realm_id" && (name in ids || !endpoint.query?.shape[name]?.safeParse(undefined).success),
  );
  const query = new URLSearchParams(required.map(([name, sample]) => [name, value(name, sample)]));
  if (way.query !== undefined) query.set("realm_id", way.query);
  const json = {
    ...sampleBody(endpoint),
    ...makeBody(endpoint, way),
  };
  const headers: Record<string, string> = {
    origin: world.app.url,
    ...(cookie ? { cookie } : {}),
    ...(way.header === undefined ? {} : { "x-realm-id": way.header }),
    ...(endpoint.method === "GET" || endpoint.file ? {} : { "content-type": "application/json" }),
  };
  const sent =
    endpoint.method === "GET"
      ? {}
      : { body: endpoint.file ? makeForm(endpoint.file.field, way) : JSON.stringify(json) };
  return { ...rest, endpoint, headers, path: `${path}?${query}`, ...sent };
}

const sampleBody = (endpoint: Endpoint): object =>
  BODIES[callName(endpoint)] ?? (endpoint.body ? (makeSample(toSchema(endpoint.body)) as object) : {});

const makeBody = ({ method }: Endpoint, { body }: Way) =>
  method === "GET" || body === undefined ? {} : { realm_id: body };

function makeForm(field: string, { body }: Way): FormData {
  const form = new FormData();
  if (body !== undefined) form.set("realm_id", body);
  form.set(field, new Blob(["no workbook"]), "sample.xlsx");
  return form;
}
