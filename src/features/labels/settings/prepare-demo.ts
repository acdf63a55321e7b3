import type { Ctx } from "#platform/ctx.ts";
import { GENERIC } from "#features/labels/layout/rules-profiles.ts";
import { saveLabelSettings } from "#features/labels/settings/store.ts";

/** GS1's own prefix for examples, so that labels of the demo are nobody else's. */
const EXAMPLE_PREFIX = "0614141";

/** Lets a company of the demo make labels without entering anything first. */
export const prepareDemoLabels = (ctx: Ctx, realmId: string, companyName: string): Promise<void> =>
  ctx.db.transaction().execute((tx) =>
    saveLabelSettings(tx, realmId, {
      settings: {
        prefix: EXAMPLE_PREFIX,
        otherPrefixes: [],
        extension: 0,
        profile: GENERIC.id,
        resolution: "203",
        paper: "roll",
        order: "file",
        separators: false,
        shipFroms: [
          {
            code: "OAK",
            name: companyName,
            address1: "1200 Harbor Way",
            address2: "",
            city: "Oakland",
            state: "CA",
            postalCode: "94607",
          },
        ],
      },
      now: ctx.clock.now(),
    }),
  );
