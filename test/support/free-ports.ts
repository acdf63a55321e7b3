import { createServer } from "node:net";

/**
 * Below the ports that systems hand out by themselves: one of those may be given to another process between its probe and
 * its use. Each worker of each runner has its own range, so that no two tests find the same port.
 */
const FIRST = 11_000;
const RANGES = 30;
const PORTS_PER_RANGE = 700;

const worker =
  Number(process.env.TEST_PORT_RANGE ?? 0) +
  Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0);
let next = Math.floor(Math.random() * PORTS_PER_RANGE);

/** Finds free ports, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tries = 0; ports.length < count; tries += 1) {
    if (tries > PORTS_PER_RANGE) throw new Error("There is no free port.");
    next = (next + 1) % PORTS_PER_RANGE;
    const port = FIRST + (worker % RANGES) * PORTS_PER_RANGE + next;
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error("There is no free port.");
  return port;
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, () => probe.close(() => resolve(true)));
  });
