import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "#platform/clock.ts";
import type { Config } from "#platform/config/read-config.ts";
import { findDatabaseFault } from "./find-database-fault.ts";
import { createLog, type Log } from "#platform/log.ts";
import { findSealingKeysFault } from "./sealing-keys.ts";
import { openObjects } from "./storage.ts";

/** Time in which each trial of the store of files must be answered. */
export const OBJECTS_ANSWER_MS = 5_000;

/** Finds all faults that prevent the start, one sentence each. */
export async function findStartFaults(config: Config): Promise<string[]> {
  const log = createLog(config.logLevel);
  const ports = config.roles.includes("web") ? listPorts(config) : [];
  const faults = await Promise.all([
    folderFault(config.dataDir),
    ...ports.map(portFault),
    findDatabaseFault(config, { clock: systemClock, log }),
    findSealingKeysFault(config),
    objectsFault(config, log),
  ]);
  return faults.filter((fault) => fault !== null);
}

function listPorts({ port, host, simulators }: Config) {
  const own = { name: "PORT", port, host };
  if (!simulators) return [own];
  const { intuitPort, stripePort, upsPort, mailPort } = simulators;
  return [
    own,
    { name: "SIM_INTUIT_PORT", port: intuitPort, host: "localhost" },
    { name: "SIM_MAIL_PORT", port: mailPort, host: "localhost" },
    ...(stripePort === null ? [] : [{ name: "SIM_STRIPE_PORT", port: stripePort, host: "localhost" }]),
    ...(upsPort === null ? [] : [{ name: "SIM_UPS_PORT", port: upsPort, host: "localhost" }]),
  ];
}

async function folderFault(folder: string): Promise<string | null> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch {
    return `The data folder ${folder} cannot be written: give this user rights to it, or set DATA_DIR to another folder.`;
  }
}

async function objectsFault(config: Config, log: Log): Promise<string | null> {
  // Files in the data folder need nothing else.
  if (!config.objects) return null;
  try {
    const objects = await openObjects(config, { log, clock: systemClock });
    return await objects.findFault(OBJECTS_ANSWER_MS);
  } catch {
    // The data folder cannot be written, which is a fault of its own.
    return null;
  }
}

type Port = { name: string; port: number; host: string };

/** Simulators of a killed process end by themselves, a moment after it. */
const PORT_TRIES = 20;
const NEXT_TRY_MS = 250;

async function portFault({ name, port, host }: Port): Promise<string | null> {
  let code = await openFault(port, host);
  for (let tries = 1; code === "EADDRINUSE" && tries < PORT_TRIES; tries += 1) {
    await wait(NEXT_TRY_MS);
    code = await openFault(port, host);
  }
  if (code === null) return null;
  return code === "EADDRINUSE"
    ? `Port ${port} is in use by another program: stop that program, or set ${name} to another port.`
    : `Port ${port} cannot be opened on ${host} (${code}): set ${name} or HOST to something else.`;
}

/** @returns the system's error code that prevents listening on a port */
function openFault(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
}
