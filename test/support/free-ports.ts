import { createServer } from "node:net";

/**
 * Below the ports that systems hand out by themselves: one of those may be given to somebody else between its probe and
 * its use. Those of each worker of a runner lie apart, so that no two tests find the same one.
 */
const FIRST = 11_000;
const LANES = 16;
const PORTS_A_LANE = 1_250;

const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0);
let next = Math.floor(Math.random() * PORTS_A_LANE);

/** Ports that nobody listens on, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tries = 0; ports.length < count; tries += 1) {
    if (tries > PORTS_A_LANE) throw new Error("There is no free port.");
    next = (next + 1) % PORTS_A_LANE;
    const port = FIRST + (worker % LANES) * PORTS_A_LANE + next;
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
