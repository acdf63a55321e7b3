import { existsSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { installPackages } from "./npm.mjs";
import { inRoot, Refusal, say } from "./place.mjs";

const NEEDED_MAJOR = 24;

/**
 * Returns the Node that runs the product: the current one if new enough, else the pinned one in `runtime/`,
 * downloaded if missing.
 * @returns {Promise<string>} path of the program
 */
export async function ensureNode() {
  if (Number(process.versions.node.split(".")[0]) >= NEEDED_MAJOR) return process.execPath;
  const pinned = pinnedNode();
  if (!existsSync(pinned)) {
    say(`Fetching Node ${NEEDED_MAJOR} (yours is ${process.versions.node}) …`);
    await installPackages({ folder: inRoot("runtime") });
  }
  if (!existsSync(pinned)) {
    throw new Refusal(
      `There is no ready Node ${NEEDED_MAJOR} for ${process.platform} on ${process.arch}: install it from nodejs.org and start again.`,
    );
  }
  return pinned;
}

/** Returns an environment in which that Node and our packages' programs come first. */
export function environmentFor(node, extra = {}) {
  const path = [dirname(node), inRoot("node_modules/.bin"), process.env.PATH].join(delimiter);
  return { ...process.env, ...extra, PATH: path };
}

function pinnedNode() {
  const windows = process.platform === "win32";
  const folder = inRoot("runtime/node_modules", `node-${windows ? "win" : process.platform}-${process.arch}`);
  return `${folder}/bin/node${windows ? ".exe" : ""}`;
}
