import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { create, findInvoice, toAnswer, type Stage } from "./plays.ts";
import type { LongPlay } from "./plays-long.ts";

/** Where Intuit's webhooks arrive: a port of this machine that the app's webhook address leads to. */
export type WebhookTarget = { port: number; verifierToken: string };

type Post = { body: unknown; isSigned: boolean; contentType: string | null };
type CloudEvent = { type: string; intuitaccountid: string; intuitentityid: string };
type LegacyBody = {
  eventNotifications?: { realmId: string; dataChangeEvent?: { entities?: { id: string }[] } }[];
};

/** Intuit may keep events back to send several together. */
const WITHIN_MS = 300_000;
const LOOK_MS = 500;

/** Changes an invoice in each of two companies at once. */
export const webhooksAt = (target: WebhookTarget): LongPlay => ({
  name: "webhooks",
  play: async (stage) => {
    const inbox = await openInbox(target);
    try {
      const other = await stage.connectOther();
      const replies = await Promise.all([stage, other].map((each: Stage) => create(each)));
      const own = [stage, other].map(({ api }, at) => `${api.realmId} ${findInvoice(replies[at]!)?.Id}`);
      // Events of earlier plays arrive too.
      const posts = () => inbox.posts.filter((each) => listChanged(each).some((id) => own.includes(id)));
      const came = () => own.every((id) => posts().some((each) => listChanged(each).includes(id)));
      for (let waited = 0; !came() && waited < WITHIN_MS; waited += LOOK_MS) await wait(LOOK_MS);
      const events = posts()
        .flatMap(({ body }) => (Array.isArray(body) ? (body as CloudEvent[]) : []))
        .filter((event) => own.includes(nameChanged(event)));
      const names = (values: readonly string[]) => [...new Set(values)].sort();
      return {
        "an invoice in each of two companies": replies.map(toAnswer),
        "events of both companies came": came(),
        "one post has both companies": posts().some((each) =>
          own.every((id) => listChanged(each).includes(id)),
        ),
        "signed with the verifier token": posts().every(({ isSigned }) => isSigned),
        shapes: names(posts().map(({ body }) => (Array.isArray(body) ? "cloudevents" : "legacy"))),
        "content types": names(posts().map(({ contentType }) => contentType ?? "none")),
        "fields of an event": names(events.flatMap((event) => Object.keys(event))),
        types: names(events.map(({ type }) => type)),
      };
    } finally {
      inbox.close();
    }
  },
});

const nameChanged = (event: CloudEvent) => `${event.intuitaccountid} ${event.intuitentityid}`;

/** Company and id of each object that a post is about, in either of Intuit's shapes. */
function listChanged({ body }: Post): string[] {
  if (Array.isArray(body)) return (body as CloudEvent[]).map(nameChanged);
  return ((body as LegacyBody).eventNotifications ?? []).flatMap(({ realmId, dataChangeEvent }) =>
    (dataChangeEvent?.entities ?? []).map(({ id }) => `${realmId} ${id}`),
  );
}

async function openInbox({ port, verifierToken }: WebhookTarget) {
  const posts: Post[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      const bytes = Buffer.concat(chunks);
      const signature = createHmac("sha256", verifierToken).update(bytes).digest("base64");
      posts.push({
        body: readBody(bytes.toString()),
        isSigned: request.headers["intuit-signature"] === signature,
        contentType: request.headers["content-type"]?.split(";")[0] ?? null,
      });
      response.end();
    });
  });
  server.listen(port, "localhost");
  await once(server, "listening");
  return { posts, close: () => server.close() };
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}
