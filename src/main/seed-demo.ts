import { sql } from "kysely";
import { WEBHOOK_PATH } from "#features/billing/index.ts";
import { addMember, connectCompany, type Company, type ConnectCtx } from "#features/companies/index.ts";
import { auditBy } from "#features/audit/index.ts";
import { linkAccount, type CarrierCtx } from "#features/carrier/index.ts";
import { prepareDemoLabels } from "#features/labels/index.ts";
import { prepareDemoShipping, type ShippingCtx } from "#features/shipping/index.ts";
import { addDemoOrders, type OrdersCtx } from "#features/orders/index.ts";
import { CHANGES_PATH } from "#features/tracking/index.ts";
import { upsertUser, type User } from "#features/identity/index.ts";
import type { IntuitGrant } from "#integrations/intuit/sign-in.ts";
import { hashVerifier } from "#integrations/ups/sign-in.ts";
import type { Config } from "#platform/config/read-config.ts";
import type { Ctx } from "#platform/ctx.ts";

/** Parts of the product needed by the demo. */
export type Demo = {
  config: Config;
  ctx: Ctx;
  connect: ConnectCtx;
  carrier: CarrierCtx;
  orders: OrdersCtx;
  shipping: ShippingCtx;
};

/** Companies that the demo starts with: their connecting user and other members. */
const DEMO_COMPANIES = [
  {
    realmId: "9130357849016936",
    admin: "owner@acme.example",
    members: ["clerk@acme.example", "labels@acme.example", "platform@dockside.example"],
  },
  { realmId: "9130357849016944", admin: "platform@dockside.example", members: ["owner@acme.example"] },
];

/** The company that ships, and its account at the simulated UPS. */
const SHIPPING_COMPANY = "9130357849016936";
const UPS_LOGIN = { user: "acme-shipping", account: "1A2B3C" };

const SIGN_IN_SCOPE = "openid profile email";

/**
 * Connects the demo's companies with the same steps a user takes, over the network; only the consent page is
 * replaced by the simulator's control interface. Harmless if they are already connected.
 */
export async function seedDemo(application: Demo): Promise<void> {
  const { db } = application.ctx;
  await registerAddresses(application);
  await registerWebhook(application.config);
  if ((await sql`select from company limit 1`.execute(db)).rows.length > 0) return;
  for (const { realmId, admin, members } of DEMO_COMPANIES) {
    const grant = await grantByControl(application, { email: admin, realmId });
    const user = await addUser(application, grant);
    const connected = await connectCompany(application.connect, { user, grant, requestId: "demo" });
    if (connected.kind === "failed")
      throw new Error(`The demo company ${realmId} could not be connected: ${connected.reason}.`);
    for (const email of members) {
      const member = await addUser(application, await grantByControl(application, { email }));
      await addMember(db, realmId, { userId: member.id, now: application.ctx.clock.now() });
    }
    await prepareDemoLabels(application.ctx, realmId, connected.company.name);
    if (realmId !== SHIPPING_COMPANY) continue;
    await prepareShipping(application, { user, company: connected.company });
    await prepareTracking(application.config, realmId);
  }
}

/** Connects a UPS account, and adds orders to make labels for. */
async function prepareShipping(
  { config, ctx, carrier, orders, shipping }: Demo,
  { user, company }: { user: User; company: Company },
): Promise<void> {
  const { ups } = carrier;
  if (!config.ups || !ups) return;
  const { realmId } = company;
  const audited = auditBy(ctx, { userId: user.id, realmId, requestId: "demo" });
  const verifier = ctx.ids.secret();
  const body = {
    user: UPS_LOGIN.user,
    redirect_uri: config.ups.redirectUri,
    code_challenge: hashVerifier(verifier),
  };
  const { code } = (await callControl(config.ups.baseUrl, "codes", body)) as { code: string };
  const request = { realm_id: realmId, account: UPS_LOGIN.account, user_id: user.id };
  await linkAccount({ ...carrier, ...audited, ups }, request, { code, verifier });
  await prepareDemoShipping({ ...shipping, ...audited }, company);
  await addDemoOrders({ ...orders, ...audited }, realmId);
}

/** Packages of the demo's last invoices, as their shipper's own program made them: several states, and another carrier. */
const DEMO_PACKAGES: readonly { packages: number; ageHours: number; scenario?: string; others?: string }[] = [
  { packages: 1, ageHours: 96 },
  { packages: 2, ageHours: 44 },
  { packages: 1, ageHours: 41, scenario: "exception" },
  { packages: 1, ageHours: 30 },
  { packages: 1, ageHours: 2 },
  { packages: 0, ageHours: 0, others: "FedEx 794612345678" },
];

/** Lets invoices of the demo name packages that the simulated UPS knows. Nothing is followed before the service is on. */
async function prepareTracking(config: Config, realmId: string): Promise<void> {
  if (!config.ups) return;
  const books = `books/${realmId}/invoice`;
  const invoices = (await controlSimulator(config, books)) as DemoInvoice[];
  const last = invoices.toSorted((a, b) => b.TxnDate.localeCompare(a.TxnDate));
  for (const [at, { others = "", ...plan }] of DEMO_PACKAGES.entries()) {
    const invoice = last[at];
    if (!invoice) return;
    const to = { name: invoice.CustomerRef.name };
    const { tracking } =
      plan.packages === 0
        ? { tracking: [] }
        : ((await callControl(config.ups.baseUrl, "packages", { ...plan, to })) as { tracking: string[] });
    const text = [...tracking, others].filter(Boolean).join(", ");
    await controlSimulator(config, `${books}/${invoice.Id}`, { TrackingNum: text });
  }
}

type DemoInvoice = { Id: string; TxnDate: string; CustomerRef: { name: string } };

async function addUser({ connect, config }: Demo, grant: IntuitGrant): Promise<User> {
  const result = await upsertUser(connect, grant, config.groupMembers);
  if ("failure" in result) throw new Error(`A demo user can't sign in: ${result.failure}.`);
  return result.user;
}

/** Registers the app's settings at Intuit: targets of its Open, Get app now and Disconnect links. */
async function registerAddresses({ config }: Demo): Promise<void> {
  await controlSimulator(config, "clients", {
    client_id: config.intuit.clientId,
    secret: config.intuit.clientSecret,
    name: config.product,
    launch_url: `${config.publicUrl}/login/`,
    connect_url: `${config.publicUrl}/get-app/`,
    disconnect_url: `${config.publicUrl}/disconnect/`,
    webhook_url: `${config.publicUrl}${CHANGES_PATH}`,
    verifier_token: config.intuit.verifierToken ?? "",
  });
}

/** Registers the account's settings at Stripe: the webhook, and its signing secret. */
async function registerWebhook({ stripe, publicUrl }: Config): Promise<void> {
  if (!stripe?.simulator) return;
  const body = { url: `${publicUrl}${WEBHOOK_PATH}`, secret: stripe.webhookSecrets[0] };
  await callControl(stripe.apiBaseUrl, "webhooks", body);
}

async function grantByControl(
  { config, connect, ctx }: Demo,
  { email, realmId }: { email: string; realmId?: string },
) {
  const users = (await controlSimulator(config, "users")) as { users: { sub: string; email: string }[] };
  const sub = users.users.find((user) => user.email === email)?.sub;
  const { code } = (await controlSimulator(config, "grants", {
    sub,
    ...(realmId === undefined ? {} : { realmId }),
    client_id: config.intuit.clientId,
    redirect_uri: config.intuit.redirectUri,
    scope: realmId === undefined ? SIGN_IN_SCOPE : `${SIGN_IN_SCOPE} com.intuit.quickbooks.accounting`,
  })) as { code: string };
  const state = ctx.ids.secret();
  const callback = new URL(config.intuit.redirectUri);
  callback.search = new URLSearchParams({
    code,
    state,
    ...(realmId === undefined ? {} : { realmId }),
  }).toString();
  return connect.signIn.exchangeCode(callback, state);
}

export const controlSimulator = ({ intuit }: Config, path: string, body?: object): Promise<unknown> =>
  callControl(intuit.apiBaseUrl, path, body);

export async function callControl(origin: string, path: string, body?: object): Promise<unknown> {
  const request = body
    ? { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }
    : {};
  const response = await fetch(`${origin}/_sim/${path}`, request);
  if (!response.ok) throw new Error(`The simulator answered ${response.status} to ${path}.`);
  return response.json();
}
