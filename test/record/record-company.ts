import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deleteMade, PLAYS, rotation, type Facts, type Stage } from "./plays.ts";
import { BOOKS_PLAYS } from "./plays-books.ts";
import { OPEN_PLAYS } from "./plays-open.ts";
import { ENDINGS, requestIdKept, type LongPlay } from "./plays-long.ts";
import { webhooksAt, type WebhookTarget } from "./plays-webhooks.ts";
import {
  askForTokens,
  createApi,
  discoverEndpoints,
  unique,
  type Api,
  type Exchange,
  type SignIn,
  type Target,
} from "./wire.ts";

/** Findings of one play, and the exchanges that show them. */
export type Recording = { name: string; facts: Facts; exchanges: Exchange[] };

type Options = {
  target: Target;
  /** Lets the user sign in and choose a company at an address. @returns the address that the browser came back to */
  visit(address: string): Promise<URL>;
  say(text: string): void;
  /** Plays that take two days and end the authorization: how they wait. Left out when there is none. */
  wait?: (ms: number) => Promise<unknown>;
  /** Left out if Intuit's webhooks don't reach this machine. */
  webhooks?: WebhookTarget;
  /** Names of the plays to play; all if left out. */
  only?: readonly string[];
  /** Called after each play with all that was recorded so far. */
  keep?: (recordings: readonly Recording[]) => Promise<unknown>;
};

/** Signs in, plays every open question on the company that was chosen, and deletes what it made. */
export async function recordCompany(options: Options): Promise<Recording[]> {
  const { target, visit, say, wait, keep, only } = options;
  const secrets = new Set([target.clientId]);
  const stage = await openStage(await connect(target, { visit, secrets }));
  const stages = [stage];
  const connectAgain = () => {
    say("The next play needs another user: sign in as a different one and choose the same company.");
    return connect(target, { visit, secrets, realmId: stage.api.realmId });
  };
  const connectOther = async () => {
    say("The next play needs another company: sign in and choose a different one.");
    const other = await openStage(await connect(target, { visit, secrets }));
    if (other.api.realmId === stage.api.realmId) throw new Error("The same company was chosen again.");
    stages.push(other);
    return other;
  };
  const webhookPlays = options.webhooks ? [webhooksAt(options.webhooks)] : [];
  const recordings: Recording[] = [];
  const playOne = async ({ name, play }: LongPlay, longer: NonNullable<Options["wait"]>) => {
    if (only && !only.includes(name)) return;
    say(`Playing ${name} …`);
    stage.api.exchanges.length = 0;
    const facts = await play({
      ...stage,
      wait: longer,
      connectAgain,
      connectOther,
    });
    recordings.push({ name, facts, exchanges: [...stage.api.exchanges] });
    await keep?.(recordings);
  };
  try {
    for (const play of [...OPEN_PLAYS, ...PLAYS, ...webhookPlays, ...BOOKS_PLAYS, rotation])
      await playOne(play, () => Promise.resolve());
    if (wait) await playOne(requestIdKept, wait);
  } finally {
    const left: string[] = [];
    for (const each of stages) left.push(...(await deleteMade(each)));
    say(left.length === 0 ? "Everything made was deleted." : `Delete by hand: ${left.join(", ")}`);
  }
  for (const ending of wait ? ENDINGS : []) {
    if ((await stage.api.call("GET", "/preferences")).status !== 200) {
      say("The authorization has ended: sign in as the first user and choose the same company.");
      const { realmId } = stage.api;
      Object.assign(stage.api.tokens, (await connect(target, { visit, secrets, realmId })).tokens);
    }
    await playOne(ending, wait ?? (() => Promise.resolve()));
  }
  return recordings;
}

type Visit = { visit: Options["visit"]; secrets: Set<string>; realmId?: string };

/** Lets the user sign in and choose a company, the expected one where there is one. */
async function connect(target: Target, { visit, secrets, realmId: expected }: Visit): Promise<Api> {
  const endpoints = await discoverEndpoints(target);
  const [state, nonce] = [unique(), unique()];
  const address = new URL(endpoints.authorize);
  address.search = new URLSearchParams({
    client_id: target.clientId,
    response_type: "code",
    scope: "openid profile email com.intuit.quickbooks.accounting",
    redirect_uri: target.redirectUri,
    state,
    nonce,
  }).toString();
  const { searchParams } = await visit(address.href);
  const realmId = searchParams.get("realmId");
  if (searchParams.get("state") !== state || !realmId || realmId !== (expected ?? realmId))
    throw new Error("The company was not chosen, or the answer belongs to another sign-in.");
  const { status, json } = await askForTokens(target, endpoints.token, {
    grant_type: "authorization_code",
    code: searchParams.get("code") ?? "",
    redirect_uri: target.redirectUri,
  });
  if (status !== 200) throw new Error(`The code was not exchanged: ${status} ${String(json["error"])}.`);
  const tokens = { access: String(json["access_token"]), refresh: String(json["refresh_token"]) };
  secrets.add(realmId);
  return createApi(target, {
    realmId,
    signIn: signInFacts(json["id_token"], nonce),
    tokens,
    endpoints,
    secrets,
  });
}

/** Names of claims only: their values are personal. */
function signInFacts(idToken: unknown, nonce: string): SignIn {
  if (typeof idToken !== "string") return { "an id_token came": false };
  const [, body = ""] = idToken.split(".");
  const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as Record<string, unknown>;
  return {
    "an id_token came": true,
    "with our nonce": claims["nonce"] === nonce,
    "its claims": Object.keys(claims).sort(),
  };
}

async function openStage(api: Api): Promise<Stage> {
  const [customer] = await api.query("select Id, DisplayName from Customer where Active = true maxresults 1");
  const [item] = await api.query(
    "select Id, Name from Item where Active = true and Type = 'Service' maxresults 1",
  );
  const { json: info } = await api.call("GET", `/companyinfo/${api.realmId}`);
  if (!customer || !item) throw new Error("The company needs an active customer and an active service item.");
  const company = info["CompanyInfo"] as Record<string, unknown> | undefined;
  for (const name of [
    customer["DisplayName"],
    item["Name"],
    company?.["CompanyName"],
    company?.["LegalName"],
  ])
    if (name) api.secrets.add(String(name));
  return {
    api,
    customer: String(customer["Id"]),
    item: String(item["Id"]),
    made: new Set(),
  };
}

/** Writes one file a play. */
export async function writeRecordings(folder: string, recordings: readonly Recording[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const recording of recordings)
    await writeFile(join(folder, `${recording.name}.json`), `${JSON.stringify(recording, null, 2)}\n`);
}

/** Where two services differ: one line for each fact. */
export function differences(real: readonly Recording[], own: readonly Recording[]): string[] {
  return real.flatMap(({ name, facts }) => {
    const mine = own.find((each) => each.name === name)?.facts ?? {};
    return Object.entries(facts).flatMap(([fact, value]) =>
      JSON.stringify(mine[fact] ?? null) === JSON.stringify(value)
        ? []
        : [`${name}, ${fact}: ${JSON.stringify(value)} there, ${JSON.stringify(mine[fact] ?? null)} here`],
    );
  });
}
