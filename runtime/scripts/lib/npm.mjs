import { dirname, join } from "node:path";
import { existsSync } from "node:fs";
import { Refusal, ROOT } from "./place.mjs";
import { run } from "./run.mjs";

/** Install scripts are never run: newer npm blocks them, and nothing here needs them. */
const FLAGS = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];

/**
 * Installs exactly what the lock file of a folder names.
 * @throws Refusal with npm's own words
 */
export async function npmCi({ folder = ROOT, production = false } = {}) {
  const args = production ? [...FLAGS, "--omit=dev"] : FLAGS;
  const npm = npmProgram();
  const { code, output } = await run(npm.file, [...npm.args, ...args], {
    cwd: folder,
    quiet: true,
    env: npmEnvironment(production),
  });
  if (code !== 0) throw new Refusal(`npm could not install the packages:\n${output.trim()}`);
}

/** npm's own script where we know it: started by `npm start`, or beside the Node that runs us. */
function npmProgram() {
  const beside = join(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js");
  const script = [process.env.npm_execpath, beside].find(
    (path) => path && path.endsWith("npm-cli.js") && existsSync(path),
  );
  return script ? { file: process.execPath, args: [script] } : { file: "npm", args: [] };
}

/** Settings of a surrounding npm that would leave needed packages out. */
function npmEnvironment(production) {
  const env = { ...process.env };
  for (const name of ["npm_config_omit", "npm_config_include", "npm_config_production", "NODE_ENV"])
    delete env[name];
  return production ? env : { ...env, npm_config_include: "dev" };
}
