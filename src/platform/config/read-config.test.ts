import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ConfigFaults, readConfig } from "#platform/config/read-config.ts";

function listFaults(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigFaults) return error.sentences;
    throw error;
  }
  return [];
}

describe("configuration", () => {
  test("nothing is required to start: the simulators and the embedded database are the defaults", () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      port: 3000,
      publicUrl: "http://localhost:3000",
      databaseUrl: null,
      product: "Dockside",
    });
    expect(config.simulators).toEqual({ intuitPort: 3001, stripePort: 3003, upsPort: 3002, mailPort: 3025 });
    expect(config.intuit).toMatchObject({ simulator: true, apiBaseUrl: "http://localhost:3001" });
  });

  test("TK-15 the Tracking Service is for sale, except to real companies where no UPS account can be connected", () => {
    const real = { INTUIT_CLIENT_ID: "id", INTUIT_CLIENT_SECRET: "secret", INTUIT_ENVIRONMENT: "sandbox" };
    const ups = { UPS_CLIENT_ID: "id", UPS_CLIENT_SECRET: "secret" };
    const forSale = (environment: Record<string, string>) => readConfig(environment).billing.forSale;
    expect(forSale({})).toEqual(["tracking"]);
    expect(forSale({ ...real, ...ups })).toEqual(["tracking"]);
    expect(forSale(real)).toEqual([]);
    expect(forSale({ SERVICES_FOR_SALE: "" })).toEqual([]);
  });

  test("all faults are reported at once, one sentence each, with the value found", () => {
    const faults = listFaults({
      PORT: "seventy",
      DATABASE_URL: "mysql://x",
      ROLES: "web,cook",
      INTUIT_CLIENT_ID: "only-half",
    });
    expect(faults).toHaveLength(4);
    expect(faults[0]).toContain('PORT is "seventy"');
    expect(faults.join("\n")).toContain("INTUIT_CLIENT_ID and INTUIT_CLIENT_SECRET go together");
  });

  test("LOGROCKET_APP_ID chooses LogRocket in place of our recorder, and one that isn't an app is reported in one sentence", () => {
    const byDefault = readConfig({});
    expect([byDefault.logRocket, byDefault.recorder?.appId]).toEqual([null, "own/dockside"]);
    const config = readConfig({ LOGROCKET_APP_ID: "au2drp/dockside" });
    expect(config.recorder).toBeNull();
    expect(config.logRocket).toEqual({
      appId: "au2drp/dockside",
      scriptOrigin: "https://cdn.logr-in.com",
      ingestOrigin: "https://r.logr-in.com",
    });
    for (const LOGROCKET_APP_ID of [
      "dockside",
      "au2drp/",
      "/x",
      "a/b/c",
      "https://app.logrocket.com/a/b",
      "a/b?",
    ])
      expect(listFaults({ LOGROCKET_APP_ID })).toEqual([
        `LOGROCKET_APP_ID is "${LOGROCKET_APP_ID}": it must look like org/app, as LogRocket's settings show it.`,
      ]);
    expect(listFaults({ LOGROCKET_APP_ID: "a/b", LOGROCKET_INGEST_ORIGIN: "http://r.example" })).toEqual([
      'LOGROCKET_INGEST_ORIGIN is "http://r.example": it must begin with https://.',
    ]);
    expect(listFaults({ LOGROCKET_SCRIPT_ORIGIN: "http://localhost.example" })).toHaveLength(1);
    expect(listFaults({ LOGROCKET_SCRIPT_ORIGIN: "http://localhost:4000" })).toEqual([]);
    expect(listFaults({ LOGROCKET_APP_ID: "a/b", RECORDER: "false" })).toEqual([
      expect.stringMatching(/^RECORDER is false and LOGROCKET_APP_ID is set: /),
    ]);
  });

  test("a port that is not a number gives one sentence, not a crash", () => {
    expect(listFaults({ PORT: "abc" })).toEqual([expect.stringContaining('PORT is "abc"')]);
  });

  test("a fault in a variable that may hold a password is reported without its value", () => {
    const faults = listFaults({ DATABASE_URL: "mysql://me:hunter2@host" });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^DATABASE_URL: /);
    expect(faults[0]).not.toContain("hunter2");
  });

  test("OP-08 each secret can come from a file, and a file that can't be used is one sentence without its contents", async () => {
    const folder = await mkdtemp(join(tmpdir(), "dockside-secrets-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const put = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };
    const url = "postgres://me:hunter2@host/db";
    const config = readConfig({
      INTUIT_CLIENT_ID: "id",
      INTUIT_CLIENT_SECRET_FILE: await put("intuit", "from a file\n"),
      INTUIT_VERIFIER_TOKEN_FILE: await put("verifier", "verifier-token"),
      DATABASE_URL_FILE: await put("database", `${url}\n`),
      MIGRATION_DATABASE_URL_FILE: await put("migration", "postgres://owner:hunter2@host/db"),
      SEALING_KEYS_FILE: await put("keys", "\nk1:AAAA\n"),
      STRIPE_SECRET_KEY_FILE: await put("stripe", "sk_test_1"),
      STRIPE_PUBLISHABLE_KEY: "pk_test_1",
      STRIPE_WEBHOOK_SECRETS_FILE: await put("webhooks", "whsec_1,whsec_2"),
      UPS_CLIENT_ID: "ups",
      UPS_CLIENT_SECRET_FILE: await put("ups", "ups-secret"),
      SMTP_URL_FILE: await put("smtp", "smtp://me:hunter2@mail.example"),
      MAIL_FROM: "me@mail.example",
      METRICS_TOKEN_FILE: await put("metrics", "0123456789abcdef"),
    });
    expect(config).toMatchObject({
      databaseUrl: url,
      migrationUrl: "postgres://owner:hunter2@host/db",
      sealingKeys: "k1:AAAA",
      metricsToken: "0123456789abcdef",
      intuit: { clientSecret: "from a file", verifierToken: "verifier-token" },
      stripe: { secretKey: "sk_test_1", webhookSecrets: ["whsec_1", "whsec_2"] },
      ups: { clientSecret: "ups-secret" },
      mail: { url: "smtp://me:hunter2@mail.example" },
    });
    expect(
      listFaults({
        DATABASE_URL: url,
        DATABASE_URL_FILE: join(folder, "database"),
        METRICS_TOKEN_FILE: join(folder, "none"),
        SEALING_KEYS_FILE: await put("empty", " \n"),
        SMTP_URL_FILE: await put("wrong", "hunter2"),
      }),
    ).toEqual([
      "DATABASE_URL and DATABASE_URL_FILE are both set: set one of them.",
      `SEALING_KEYS_FILE is "${join(folder, "empty")}": the file is empty.`,
      `METRICS_TOKEN_FILE is "${join(folder, "none")}": it can't be read.`,
      expect.stringMatching(/^SMTP_URL: (?!.*hunter2)/),
    ]);
  });

  test("a migration's database without the product's is a fault", () => {
    expect(listFaults({ MIGRATION_DATABASE_URL: "postgres://owner@host/db" })).toEqual([
      "MIGRATION_DATABASE_URL needs DATABASE_URL: set both, or neither for the embedded database.",
    ]);
  });

  test("real credentials turn the simulators off and use Intuit's own addresses", () => {
    const config = readConfig({
      INTUIT_CLIENT_ID: "id",
      INTUIT_CLIENT_SECRET: "secret",
      INTUIT_ENVIRONMENT: "production",
      PUBLIC_URL: "https://dockside.example",
    });
    expect(config.simulators).toBeNull();
    expect(config.intuit.apiBaseUrl).toBe("https://quickbooks.api.intuit.com");
    expect(config.groupMembers.app).toEqual(["*"]);
  });

  test("production refuses an address without https, an Admin page open to everyone, and the simulated Intuit", () => {
    const production = {
      INTUIT_CLIENT_ID: "id",
      INTUIT_CLIENT_SECRET: "secret",
      INTUIT_ENVIRONMENT: "production",
      PUBLIC_URL: "https://dockside.example",
      GROUP_ADMIN: "ann@dockside.example",
    };
    expect(listFaults(production)).toEqual([]);
    expect(listFaults({ ...production, PUBLIC_URL: "http://dockside.example" })).toEqual([
      expect.stringMatching(/^INTUIT_ENVIRONMENT is production, so PUBLIC_URL must begin with https/),
    ]);
    expect(listFaults({ ...production, PUBLIC_URL: "" })).toHaveLength(1);
    expect(listFaults({ PUBLIC_URL: "localhost:3000" })).toEqual([
      'PUBLIC_URL is "localhost:3000": it must begin with http:// or https://, like https://dockside.example.',
    ]);
    expect(listFaults({ PUBLIC_URL: "http://localhost:3000/dock?a=1" })).toEqual([
      'PUBLIC_URL is "http://localhost:3000/dock?a=1": it must be an address without a path: set it to http://localhost:3000.',
    ]);
    expect(listFaults({ ...production, PUBLIC_URL: "no address" })).toEqual([
      expect.stringContaining('PUBLIC_URL is "no address"'),
    ]);
    expect(listFaults({ ...production, GROUP_ADMIN: "ann@dockside.example, *" })).toEqual([
      expect.stringMatching(/^INTUIT_ENVIRONMENT is production, so GROUP_ADMIN cannot be \*/),
    ]);
    expect(listFaults({ ...production, INTUIT_CLIENT_ID: "", INTUIT_CLIENT_SECRET: "" })).toContainEqual(
      expect.stringMatching(/^INTUIT_ENVIRONMENT is production, so the simulated Intuit is refused/),
    );
  });

  test("a public address cannot be used with the simulators", () => {
    expect(listFaults({ PUBLIC_URL: "https://dockside.example" })[0]).toContain(
      "the simulated Intuit is refused",
    );
  });

  test("two services cannot be given one port", () => {
    expect(listFaults({ PORT: "4000", SIM_INTUIT_PORT: "4000" })[0]).toContain("give each a port of its own");
    expect(listFaults({ SIM_MAIL_PORT: "3001" })).toEqual([
      "SIM_INTUIT_PORT and SIM_MAIL_PORT are both 3001: give each a port of its own.",
    ]);
  });

  test("mail goes to a simulated server in the demo, to no server with the real Intuit, and to your own server if one is configured", () => {
    const real = { INTUIT_CLIENT_ID: "id", INTUIT_CLIENT_SECRET: "secret" };
    const own = {
      SMTP_URL: "smtps://user:pass@mail.example:465",
      MAIL_FROM: "Dockside <no-reply@example.com>",
    };
    expect(readConfig({}).mail?.url).toBe("smtp://localhost:3025");
    expect(readConfig(real).mail).toBeNull();
    expect(readConfig({ ...real, ...own }).mail).toEqual({ url: own.SMTP_URL, from: own.MAIL_FROM });
    expect(listFaults({ SMTP_URL: own.SMTP_URL })).toEqual([
      "SMTP_URL and MAIL_FROM go together: set both, or neither.",
    ]);
    expect(listFaults({ ...own, SMTP_URL: "http://secret@mail.example" }).join()).not.toContain("secret");
  });

  test("HM-08 the demo has an example EDI partner; a real service, or an empty setting, has none", () => {
    const readPartner = (environment: Record<string, string>) => readConfig(environment).ediPartnerUrl;
    const real = { INTUIT_CLIENT_ID: "id", INTUIT_CLIENT_SECRET: "secret" };
    expect(readPartner({})).toBe("https://edi-partner.example/");
    expect(readPartner({ EDI_PARTNER_URL: "" })).toBeNull();
    expect(readPartner(real)).toBeNull();
    expect(readPartner({ ...real, EDI_PARTNER_URL: "https://edi.example/" })).toBe("https://edi.example/");
  });

  test("GEN-10 error reports name the version in package.json unless the operator sets another", async () => {
    const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
    expect(readConfig({}).release).toBe(`dockside@${version}`);
    expect(readConfig({ RELEASE: "dockside@main-7f3a" }).release).toBe("dockside@main-7f3a");
  });

  test("an empty variable counts as unset, as in .env.example", () => {
    expect(readConfig({ DATABASE_URL: "", GROUP_APP: "", PUBLIC_URL: "" })).toMatchObject({
      databaseUrl: null,
    });
  });
});
