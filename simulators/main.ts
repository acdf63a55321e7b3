import { fstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { startIntuitSimulator } from "./intuit/start.ts";

const dataDir = process.env["SIM_DATA_DIR"];
if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });

const intuit = await startIntuitSimulator({
  port: Number(process.env["SIM_INTUIT_PORT"] ?? 3001),
  ...(dataDir !== undefined && { stateFile: join(dataDir, "intuit.sqlite") }),
});
process.stdout.write(`${JSON.stringify({ intuit: intuit.url })}\n`);

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await intuit.close();
  process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM", "disconnect"] as const) process.on(signal, () => void stop());
if (followsParent()) process.stdin.on("end", () => void stop()).resume();

/** A pipe on stdin ends with the parent; a terminal or /dev/null says nothing. */
function followsParent(): boolean {
  const stdin = fstatSync(0);
  return stdin.isFIFO() || stdin.isSocket();
}
