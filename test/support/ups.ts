import { systemClock, type Clock } from "#platform/clock.ts";
import { startUpsSimulator } from "../../simulators/ups/start.ts";

/** The simulated UPS of one test, driven by its control interface. */
export type UpsSimulator = {
  url: string;
  control<T>(path: string, body?: object, method?: string): Promise<T>;
  /** Signs in at UPS's page as a user does. @returns the address UPS sends the browser back to */
  signIn(redirect: string, user: string, decision?: "allow" | "refuse"): Promise<URL>;
};

/** A simulated UPS in this process, on a port of its own, with its state in memory and by the clock of the test. */
export async function startUps(
  clock: Clock = systemClock,
): Promise<UpsSimulator & { close(): Promise<void> }> {
  const simulator = await startUpsSimulator({ port: 0, timer: clock });
  return { ...driveUps(simulator.url), close: () => simulator.close() };
}

/** Drives a running simulator. */
export const driveUps = (url: string): UpsSimulator => ({
  url,
  control: async <T>(path: string, body?: object, method = body ? "POST" : "GET"): Promise<T> => {
    const response = await fetch(`${url}/_sim/${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
    });
    if (!response.ok)
      throw new Error(`The simulated UPS answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  },
  signIn: async (redirect, user, decision = "allow") => {
    const authorize = await fetch(redirect, { redirect: "manual" });
    const page = new URL(authorize.headers.get("location") ?? "");
    const answer = await fetch(new URL("/lasso/signin", page), {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams([...page.searchParams, ["sim_user", user], ["decision", decision]]),
    });
    return new URL(answer.headers.get("location") ?? "");
  },
});
