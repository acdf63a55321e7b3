import { existsSync } from "node:fs";
import { inRoot } from "../lib/place.mjs";
import { run } from "../lib/run.mjs";
import { readText } from "./files.mjs";

const SCHEMA = "src/platform/config/schema.ts";
const PRINT = `import { VARIABLES } from ${JSON.stringify(inRoot(SCHEMA))}; console.log(JSON.stringify(Object.keys(VARIABLES)));`;

/** Checks that `.env.example` lists exactly the variables that the configuration reads. */
export async function checkEnvironment(files, node) {
  if (!existsSync(inRoot(SCHEMA))) return [];
  const { code, output } = await run(node, ["--input-type=module", "--eval", PRINT], { quiet: true });
  if (code !== 0) return [`${SCHEMA} could not be read: ${output.trim()}`];
  const read = JSON.parse(output);
  const listed = [...readText(".env.example").matchAll(/^#? ?([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1]);
  return [
    ...read.filter((name) => !listed.includes(name)).map((name) => `.env.example does not list ${name}`),
    ...listed
      .filter((name) => !read.includes(name))
      .map((name) => `.env.example lists ${name}, which nothing reads`),
  ];
}
