import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { Application } from "./application.ts";
import { controlSimulator, seedDemo } from "./seed-demo.ts";

/**
 * Puts the demo back to its first state: the simulators' books and our companies with all that hangs on them. People
 * stay signed in. Work in progress loses its rows and ends.
 */
export async function resetDemo(application: Application): Promise<void> {
  const { config, ctx } = application;
  if (!config.simulators) throw new Error("Only the demo may be reset.");
  await controlSimulator(config, "reset", {});
  await rm(join(config.dataDir, "objects/uploads"), { recursive: true, force: true });
  await sql`truncate company, contact_message cascade`.execute(ctx.db);
  await seedDemo(application);
}
