import { expect, test } from "vitest";
import { readText, repositoryFiles } from "./files.mjs";
import { checkSchema, checkStatements, checkTables } from "./schema.mjs";

const DECLARED = { shared: { app_user: "users have several companies" }, local: { run: "one queue" } };
const TABLES = `create table app_user (id uuid primary key, email text not null unique);
  create table run (realm_id text not null, id uuid not null, primary key (realm_id, id));
  create table company (realm_id text primary key, admin_id uuid references app_user (id));`;
const checkWith = (table: string) => checkTables(`${TABLES}\n${table}`, DECLARED);

const UPLOAD = `create table upload (
    realm_id text not null references company (realm_id) on delete cascade, -- of (a, company)
    id uuid not null,
    fixes uuid,
    by_id uuid references app_user (id),
    primary key (realm_id, id),
    constraint upload_fixes foreign key (realm_id, fixes) references upload (realm_id, id),
    check (id <> fixes)
  );
  create unique index upload_once on upload (realm_id, (coalesce(fixes, id))) where fixes is not null;`;

test("OP-18 a table whose keys begin with the company is accepted, and shared and local ones that are listed", () => {
  expect(checkWith(UPLOAD)).toEqual([]);
});

test.each([
  ['no "realm_id text not null"', "create table x (id uuid primary key);"],
  ['has no "realm_id text not null"', "create table x (realm_id text, id uuid, unique (realm_id, id));"],
  ["list the table in db/tables.json", "create unlogged table x (id uuid primary key);"],
  ["key (id) must begin with realm_id", "create table x (realm_id text not null, id uuid primary key);"],
  ["the unique key (id)", "create table x (realm_id text not null, id uuid unique, primary key (realm_id));"],
  ["key (id, realm_id)", "create table x (realm_id text not null, id uuid, primary key (id, realm_id));"],
  ["table x: the unique key", "create table x (realm_id text not null, constraint y unique (id));"],
  ["table upload: the unique key", `${UPLOAD} create unique index y on upload (id) where id is not null;`],
  [
    "the foreign key (u) leads from a company table to upload, which is company",
    `${UPLOAD} create table x (realm_id text not null, u uuid, foreign key (u) references upload (id));`,
  ],
  ["to run, which is local", "create table x (realm_id text not null, r uuid references run (id));"],
  ["is not read by this check", "create table if not exists x (id uuid primary key);"],
  ["is not read by this check", `${UPLOAD} create unique index if not exists y on upload (id);`],
  ["is not read by this check", `${UPLOAD} create unique index y on upload using btree (id);`],
  ["change the file that creates the table", `${UPLOAD} alter table app_user add x int;`],
])("OP-18 a table is refused: %s", (finding, table) => {
  expect(checkWith(table).join("\n")).toContain(finding);
});

test("OP-18 a list that names an unknown table, or one twice, is refused", () => {
  const findings = checkTables(TABLES, { shared: { run: "", gone: "" }, local: { run: "" } });
  expect(findings).toContain("db/tables.json lists gone, which no migration creates");
  expect(findings).toContain("db/tables.json lists run as shared and as local: leave one");
});

const check = (text: string, listed: string[] = []) =>
  checkStatements([{ path: "src/x/store.ts", text }], ["upload", "label"], { "a reason": listed });

const BOUND = [
  'const f = (db, realmId) => db.selectFrom("upload").where("realm_id", "=", realmId).execute();',
  'const f = (db, realmId) => db.selectFrom("upload as u").where("u.realm_id", "in", realmId).execute();',
  "async function f(db, realmId) { await sql`select id from upload where realm_id = ${realmId}`.execute(db); }",
  "async function f(db) { await sql`delete from upload where (realm_id, id) in (select realm_id, id from due)`.execute(db); }",
  'const ofCompany = (id) => (row) => row("realm_id", "=", id);\nconst f = (db, id) => db.selectFrom("upload").where(ofCompany(id)).execute();',
  "const has = sql`exists (select from label l where l.realm_id = upload.realm_id and l.id = upload.label_id)`;",
  'const f = (db) => db.selectFrom("session").execute();',
];

test("OP-18 statements that name their company are accepted, and parts of statements", () => {
  for (const text of BOUND) expect(check(text), text).toEqual([]);
});

test.each([
  'function f(db, realmId) { return db.selectFrom("upload").selectAll().execute(); }',
  'const f = (db, id) => db.updateTable("upload").set({ a: 1 }).where("id", "=", id).execute();',
  "async function f(db, id) { await sql`update upload set a = 1 where id = ${id}`.execute(db); }",
  'const f = (db) => db.selectFrom("upload").innerJoin("label", "label.realm_id", "upload.realm_id").execute();',
  "const f = (db) => sql`select u.id from upload u join label l on l.realm_id = u.realm_id`.execute(db);",
])("OP-18 %s is refused until it is listed", (text) => {
  expect(check(text)).toEqual([expect.stringContaining("src/x/store.ts:1 f names no company though")]);
  expect(check(text, ["src/x/store.ts f"])).toEqual([]);
});

test("OP-18 a listed statement that is not there is refused", () => {
  expect(check("", ["src/x/store.ts f"])).toEqual(['db/tables.json lists "src/x/store.ts f" without need']);
});

/** Files that are added to the repository: a table in neither list, a key, a reference and a statement without the company. */
const ADDED: Readonly<Record<string, string>> = {
  "db/migrations/9999_added.sql": `create table added_plain (id uuid primary key);
    create table added_keyed (realm_id text not null, id uuid not null unique, primary key (realm_id, id));
    create table added_across (realm_id text primary key, upload_id uuid references upload (id));`,
  "src/features/labels/added.ts": `import { sql } from "kysely";
    export const readAdded = (db, id) => sql\`select file from upload where id = \${id}\`.execute(db);`,
};

test("OP-18 a table in neither list, a unique key without the company, a foreign key across and a statement without it are refused, even next to everything that the repository has", () => {
  const files = [...repositoryFiles(), ...Object.keys(ADDED)];
  expect(checkSchema(files, (file: string) => ADDED[file] ?? readText(file))).toEqual([
    expect.stringContaining('table added_plain has no "realm_id text not null"'),
    expect.stringContaining("table added_keyed: the unique key (id) must begin with realm_id"),
    expect.stringContaining(
      "table added_across: the foreign key (upload_id) leads from a company table to upload",
    ),
    expect.stringContaining(
      "src/features/labels/added.ts:2 readAdded names no company though upload has rows",
    ),
  ]);
});
