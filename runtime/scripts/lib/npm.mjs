import { dirname, join } from "node:path";
import { existsSync } from "node:fs";
import { Refusal, ROOT } from "./place.mjs";
import { run } from "./run.mjs";

/** Install scripts are never run: newer npm blocks them, and nothing here needs them. */
const FLAGS = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];

/**
 * Installs exactly what a folder's lock file lists. `add` leaves existing packages in place, so that a
 * running product keeps its files; otherwise everything is reinstalled.
 * @throws Refusal with npm's own message
 */
export async function installPackages({ folder = ROOT, production = false, add = false } = {}) {
  const command = add ? ["install", "--no-save"] : ["ci"];
  const args = [...command, ...FLAGS, production ? "--omit=dev" : "--include=dev"];
  const npm = npmProgram();
  const { code, output } = await run(npm.file, [...npm.args, ...args], {
    cwd: folder,
    quiet: true,
    env: plainEnvironment(),
  });
  if (code !== 0) throw new Refusal(`npm could not install the packages:\n${output.trim()}`);
}

/** Returns npm's own script if known: started by `npm start`, or next to the current Node. */
export function npmProgram() {
  const beside = join(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js");
  const script = [process.env.npm_execpath, beside].find(
    (path) => path && path.endsWith("npm-cli.js") && existsSync(path),
  );
  return script ? { file: process.execPath, args: [script] } : { file: "npm", args: [] };
}

/** Removes settings of a surrounding npm that would omit needed packages. */
function plainEnvironment() {
  const env = { ...process.env };
  for (const name of ["npm_config_omit", "npm_config_include", "npm_config_production", "NODE_ENV"])
    delete env[name];
  return env;
}
