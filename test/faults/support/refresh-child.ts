import { createTokenSource } from "#features/companies/index.ts";
import { createIntuitSignIn } from "#integrations/intuit/sign-in.ts";
import { intuitOrigins } from "#integrations/intuit/config.ts";
import { systemClock } from "#platform/clock.ts";
import { readConfig, simulatedIntuit } from "#platform/config/read-config.ts";
import { parseSealingKeys } from "#platform/crypto/seal.ts";
import { connectDatabase } from "#platform/db/connect.ts";
import { systemIds } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { createOutboundFetch } from "#platform/outbound/allowed-hosts.ts";

/**
 * A process that renews a company's tokens and dies by SIGKILL in one of two moments: `answered`, when the new pair has
 * come but is not stored, or `stored`, when it is stored but was never used.
 */
const { DATABASE_URL = "", INTUIT_URL = "", REALM_ID = "", SEALING_KEYS = "", MOMENT = "" } = process.env;
const log = createLog("silent");
const intuit = { ...readConfig({}).intuit, ...simulatedIntuit(INTUIT_URL) };
const fetch = createOutboundFetch({ allowedOrigins: intuitOrigins(intuit), log, clock: systemClock });
const signIn = createIntuitSignIn(intuit, { fetch, clock: systemClock, log });
const { db } = connectDatabase(DATABASE_URL, log);
const tokens = createTokenSource({
  db,
  clock: systemClock,
  ids: systemIds,
  log,
  sealingKeys: parseSealingKeys(SEALING_KEYS),
  signIn: {
    ...signIn,
    refresh: async (refreshToken) => {
      const renewed = await signIn.refresh(refreshToken);
      if (MOMENT === "answered") process.kill(process.pid, "SIGKILL");
      return renewed;
    },
  },
});
await tokens.renew(REALM_ID, await tokens.current(REALM_ID));
process.kill(process.pid, "SIGKILL");
