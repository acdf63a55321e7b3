import { Agent, request } from "node:http";
import { isMainThread, parentPort, workerData } from "node:worker_threads";

/** Calls that are sent in turn, at a rate, while it is switched on. */
export type Sending = {
  origin: string;
  perSecond: number;
  calls: { method: "GET" | "POST"; path: string; headers: Record<string, string>; body?: Uint8Array }[];
};

/** Statuses of the answers since the last message, by their count. */
export type Sent = Record<number, number>;

// A thread of its own, because what measures shares no event loop with what disturbs.
if (!isMainThread) sendSteadily(workerData as Sending);

function sendSteadily({ origin, perSecond, calls }: Sending): void {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let sent: Sent = {};
  let turn = 0;
  const note = (status: number) => (sent[status] = (sent[status] ?? 0) + 1);
  const send = () => {
    const call = calls[turn++ % calls.length];
    if (!call) return;
    const { method, path, headers, body } = call;
    const length = body ? { "content-length": body.length } : {};
    const outgoing = request(
      new URL(path, origin),
      { agent, method, headers: { ...headers, ...length } },
      (response) => {
        response.resume();
        response.on("end", () => note(response.statusCode ?? 0));
        response.on("error", () => note(0));
      },
    );
    // A refusal before the body has arrived cuts the connection.
    outgoing.on("error", () => note(0));
    outgoing.end(body);
  };
  let timer: NodeJS.Timeout | undefined;
  parentPort?.on("message", (isOn: boolean) => {
    clearInterval(timer);
    if (isOn) {
      // A slow sender's first call would be after the end.
      send();
      timer = setInterval(send, 1_000 / perSecond);
    } else {
      parentPort?.postMessage(sent);
      sent = {};
    }
  });
}
