import { text } from "node:stream/consumers";
import type { TestProject } from "vitest/node";
import { setup } from "./global-setup.ts";

// Starts the PostgreSQL of API tests for several runs: prints its address, and stops it when the input ends.
const provided: Record<string, unknown> = {};
const provide = (name: string, value: unknown) => void (provided[name] = value);
const stop = await setup({ provide } as unknown as TestProject);
process.stdout.write(`${String(provided.databaseUrl)}\n`);
await text(process.stdin);
await stop();
