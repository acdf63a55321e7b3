import { systemClock, type Clock } from "#platform/clock.ts";
import { startStripeSimulator } from "../../simulators/stripe/start.ts";

/** The simulated Stripe of one test, driven by its control interface and its API. */
export type StripeSimulator = {
  url: string;
  control<T>(path: string, body?: object, method?: string): Promise<T>;
  /** Calls its API with a secret key, like the server of every merchant. */
  api<T = StripeDoc>(path: string, fields?: Record<string, string>, method?: string): Promise<T>;
  /** All objects of a kind, the newest first. */
  objects(kind: string): Promise<StripeDoc[]>;
};

export type StripeDoc = Record<string, unknown> & { id: string; status: string };

/** A simulated Stripe in this process, on a port of its own, with its state in memory and by the clock of the test. */
export async function startStripe(
  clock: Clock = systemClock,
): Promise<StripeSimulator & { close(): Promise<void> }> {
  const simulator = await startStripeSimulator({ port: 0, timer: clock });
  return { ...driveStripe(simulator.url), close: () => simulator.close() };
}

/** Drives a running simulator. */
export function driveStripe(url: string): StripeSimulator {
  const read = async <T>(response: Response): Promise<T> => {
    if (!response.ok)
      throw new Error(`The simulated Stripe answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const control = async <T>(path: string, body?: object, method = body ? "POST" : "GET"): Promise<T> =>
    read(
      await fetch(`${url}/_sim/${path}`, {
        method,
        ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
      }),
    );
  return {
    url,
    control,
    api: async (path, fields, method = fields ? "POST" : "GET") =>
      read(
        await fetch(`${url}/v1/${path}`, {
          method,
          headers: { authorization: "Bearer sk_test_dockside" },
          ...(fields ? { body: new URLSearchParams(fields) } : {}),
        }),
      ),
    objects: async (kind) => (await control<{ data: StripeDoc[] }>(`objects/${kind}`)).data,
  };
}
