import { parseAst } from "vite";
import { isSource, isTest, readText, repositoryFiles } from "./files.mjs";

/**
 * Keeps the schema dividable by company, as distributed PostgreSQLs demand it: each key of a company's table begins with
 * the company, no foreign key leads from one company to another, and statements name the company that they are about.
 * `db/tables.json` lists the other tables, and the statements about all companies. A program of its own, because it
 * parses sources with a package; prints its findings.
 */

/** Foreign keys that a distributed PostgreSQL can check, by the classes of both tables. */
const MAY_REFER = ["company→company", "company→shared", "shared→shared", "local→local", "local→shared"];

/** @typedef {{ name: string, columns: string[], isCompany: boolean, keys: string[][], references: { columns: string[], table: string }[] }} Table */

/** Reads the tables of migrations, with their unique and foreign keys. @returns {Map<string, Table>} */
export function readTables(sql) {
  const text = sql.replaceAll(/--.*/g, "").replaceAll(/\$\$[\s\S]*?\$\$/g, "");
  const tables = new Map();
  for (const { 1: name, index, 0: start } of text.matchAll(/\bcreate (?:unlogged )?table (\w+) \(/g))
    tables.set(name, readTable(name, insideParentheses(text, index + start.length)));
  for (const { 1: name, index, 0: start } of text.matchAll(/\bcreate unique index \w+ on (\w+) \(/g))
    tables.get(name)?.keys.push(listColumns(insideParentheses(text, index + start.length)));
  return tables;
}

function readTable(name, body) {
  const table = { name, columns: [], isCompany: false, keys: [], references: [] };
  for (const part of splitAtCommas(body)) {
    const [, key] = part.match(/^(?:constraint \w+ )?(?:primary key|unique) \(([^)]*)\)/) ?? [];
    const [, from, to] = part.match(/^(?:constraint \w+ )?foreign key \(([^)]*)\) references (\w+)/) ?? [];
    if (key) table.keys.push(listColumns(key));
    else if (from) table.references.push({ columns: listColumns(from), table: to });
    else if (!/^(constraint|check)\b/.test(part)) readColumn(table, part);
  }
  return table;
}

function readColumn(table, part) {
  const [column] = part.split(/\s/);
  const [, referred] = part.match(/\breferences (\w+)/) ?? [];
  table.columns.push(column);
  if (/\b(primary key|unique)\b/.test(part)) table.keys.push([column]);
  if (referred) table.references.push({ columns: [column], table: referred });
  if (column === "realm_id") table.isCompany = /\b(not null|primary key)\b/.test(part);
}

const listColumns = (list) => splitAtCommas(list).map((column) => column.split(/\s/)[0]);

/** The text up to the parenthesis that ends what begins at a place. */
function insideParentheses(text, from) {
  let depth = 1;
  let at = from;
  for (; depth > 0 && at < text.length; at += 1) depth += { "(": 1, ")": -1 }[text[at]] ?? 0;
  return text.slice(from, at - 1);
}

function splitAtCommas(text) {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    depth += { "(": 1, ")": -1 }[character] ?? 0;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** Definitions in another form than `readTables` reads. A table without rows of its own, made by a function, is none. */
const UNREAD =
  /\bcreate (?:table (?!\w+ \()|unlogged table (?!\w+ \()|unique index (?!\w+ on \w+ \())[^\n]*/g;

/**
 * @param {string} sql all migrations
 * @param {{ shared: Record<string, string>, local: Record<string, string> }} declared
 * @returns {string[]} findings
 */
export function checkTables(sql, { shared, local }) {
  const tables = readTables(sql);
  const classify = (name) =>
    name in shared ? "shared" : name in local ? "local" : tables.get(name)?.isCompany ? "company" : "none";
  const unknown = [...Object.keys(shared), ...Object.keys(local)].filter((name) => !tables.has(name));
  const unread = [...sql.replaceAll(/--.*/g, "").matchAll(UNREAD)];
  const altered = [...sql.replaceAll(/--.*/g, "").matchAll(/\balter table\b/g)];
  return [
    ...unread.map(
      ([text]) =>
        `"${text}" is not read by this check: write "create table x (" or "create unique index x on y ("`,
    ),
    ...altered.map(() => "alter table: change the file that creates the table, until the first release"),
    ...unknown.map((name) => `db/tables.json lists ${name}, which no migration creates`),
    ...Object.keys(shared)
      .filter((name) => name in local)
      .map((name) => `db/tables.json lists ${name} as shared and as local: leave one`),
    ...[...tables.values()].flatMap((table) => checkTable(table, classify)),
  ];
}

function checkTable({ name, keys, references }, classify) {
  const own = classify(name);
  if (own === "none")
    return [
      `table ${name} has no "realm_id text not null": add it, or list the table in db/tables.json as shared or local`,
    ];
  const wrongKeys = own === "company" ? keys.filter(([first]) => first !== "realm_id") : [];
  const across = references.filter(({ columns, table }) => {
    const way = `${own}→${classify(table)}`;
    return !MAY_REFER.includes(way) || (way === "company→company" && columns[0] !== "realm_id");
  });
  return [
    ...wrongKeys.map(
      (key) =>
        `table ${name}: the unique key (${key.join(", ")}) must begin with realm_id, or two companies share it`,
    ),
    ...across.map(
      ({ columns, table }) =>
        `table ${name}: the foreign key (${columns.join(", ")}) leads from a ${own} table to ${table}, which is ${classify(table)}: ` +
        "begin it with realm_id, or leave it out",
    ),
  ];
}

/** A comparison of the company's column with a value, in Kysely or in SQL. */
const BINDS =
  /(?<!Ref)\(\s*"(?:\w+\.)?realm_id",\s*"(?:=|in)",|\brealm_id\s*(?:=|in)\s*(?:any\s*)?\(?\s*\$\{|\brealm_id, [^)]*\)\s*(?:=|in)\s/;

/**
 * Finds statements about tables of companies that name no company.
 * @param {readonly { path: string, text: string }[]} sources
 * @param {readonly string[]} companyTables tables, and views of them
 * @returns {{ place: string, name: string, path: string, tables: string[] }[]}
 */
export function findUnbound(sources, companyTables) {
  const inSql = new RegExp(`\\b(?:from|join|update|using)\\s+(${companyTables.join("|")})\\b`, "g");
  const inKysely = new RegExp(
    `\\.(?:selectFrom|updateTable|deleteFrom|(?:inner|left)Join)\\(\\s*"(${companyTables.join("|")})(?: as \\w+)?"`,
    "g",
  );
  const files = sources.map(({ path, text }) => ({ path, text, statements: listStatements(text) }));
  const isUnbound = ({ text }) => !BINDS.test(text) && !isPart(text);
  const binding = new Set(
    files.flatMap(({ statements }) =>
      statements.filter(({ text }) => BINDS.test(text)).map(({ name }) => name),
    ),
  );
  return files.flatMap(({ path, statements }) =>
    statements.filter(isUnbound).flatMap(({ name, line, text }) => {
      const tables = [...text.matchAll(inSql), ...text.matchAll(inKysely)].map(([, table]) => table);
      const calls = [...text.matchAll(/\b(\w+)\(/g)].map(([, called]) => called);
      if (tables.length === 0 || calls.some((called) => binding.has(called))) return [];
      return [{ place: `${path}:${line}`, path, name, tables: [...new Set(tables)] }];
    }),
  );
}

/** Whether a text is a part of statements elsewhere, which takes the company from their tables. */
const isPart = (text) =>
  /\w+\.realm_id = \w+\.realm_id/.test(text) &&
  !/`\s*(?:\/\*.*?\*\/\s*)?(?:select|update|delete|insert|with)\b|\.selectFrom\(/.test(text);

/** The statements of a file that could hold SQL, each with the top-level declaration that it is in. */
function listStatements(text) {
  const found = [];
  for (const top of parseAst(text, { lang: "ts" }).body) {
    const node = top.declaration ?? top;
    const name = node.id?.name ?? node.declarations?.[0]?.id?.name ?? "";
    const bodies = [];
    collectBlocks(node, bodies);
    for (const { start, end } of bodies)
      found.push({ name, line: text.slice(0, start).split("\n").length, text: text.slice(start, end) });
  }
  return found;
}

/** Innermost statements: those of a block that have no block of their own, and declarations without one. */
function collectBlocks(node, found) {
  const blocks = [];
  findBlocks(node, blocks);
  if (blocks.length === 0) return void found.push(node);
  for (const block of blocks) for (const statement of block.body) collectBlocks(statement, found);
}

function findBlocks(node, blocks) {
  for (const value of Object.values(node)) {
    if (typeof value !== "object" || value === null) continue;
    if (value.type === "BlockStatement") blocks.push(value);
    else findBlocks(value, blocks);
  }
}

/** Refuses statements without a company that `db/tables.json` doesn't list, and entries without need. */
export function checkStatements(sources, companyTables, ofAllCompanies) {
  const listed = Object.values(ofAllCompanies).flat();
  const used = new Set();
  const isListed = ({ path, name }) => {
    const entry = listed.find(
      (key) => key === `${path} ${name}` || (key.endsWith("/") && path.startsWith(key)),
    );
    if (entry) used.add(entry);
    return Boolean(entry);
  };
  const findings = findUnbound(sources, companyTables)
    .filter((each) => !isListed(each))
    .map(
      ({ place, path, name, tables }) =>
        `${place} ${name} names no company though ${tables.join(", ")} has rows of many: compare realm_id, or add ` +
        `"${path} ${name}" to a reason in db/tables.json`,
    );
  const needless = listed.filter((key) => !used.has(key));
  return [...findings, ...needless.map((key) => `db/tables.json lists "${key}" without need`)];
}

/** Checks the migrations, the sources, and `db/tables.json`. @returns {string[]} findings */
export function checkSchema(files, read) {
  const sql = files
    .filter((file) => file.startsWith("db/migrations/"))
    .map(read)
    .join("\n");
  const { shared, local, ofAllCompanies } = JSON.parse(read("db/tables.json"));
  const sources = files
    .filter((file) => /^src\/.*\.ts$/.test(file) && isSource(file) && !isTest(file))
    .map((path) => ({ path, text: read(path) }))
    .filter(({ text }) => /\bsql[`<]|\.(selectFrom|updateTable|deleteFrom)\(/.test(text));
  const companyTables = [...readTables(sql).values()]
    .filter(({ name, isCompany }) => isCompany && !(name in shared) && !(name in local))
    .map(({ name }) => name);
  const views = [...sql.matchAll(/\bcreate view (\w+)/g)].map(([, name]) => name);
  return [
    ...checkTables(sql, { shared, local }),
    ...checkStatements(sources, [...companyTables, ...views], ofAllCompanies),
  ];
}

if (import.meta.main) {
  const findings = checkSchema(repositoryFiles(), readText);
  process.stdout.write(findings.join("\n"));
  process.exitCode = findings.length > 0 ? 1 : 0;
}
