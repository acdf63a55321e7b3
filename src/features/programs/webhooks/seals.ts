import type { WebhooksCtx } from "#features/programs/webhooks/ctx.ts";
import {
  changeEndpoint,
  findSealedSecrets,
  lockEndpoint,
  type StoredEndpoint,
} from "#features/programs/webhooks/store.ts";
import { seal, sealedWith, unseal } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/connect.ts";

type Sealing = Pick<WebhooksCtx, "sealingKeys">;
type Place = { realm_id: string; id: string };

/** A secret can't be opened for another endpoint. */
const purpose = ({ realm_id, id }: Place) => `webhook ${realm_id} ${id}`;

export const sealSecret = ({ sealingKeys }: Sealing, endpoint: Place, secret: string): string =>
  seal(sealingKeys, purpose(endpoint), secret);

/** Opens the secrets with which messages are signed at a time: the current one first. */
export const openSecrets = ({ sealingKeys }: Sealing, endpoint: StoredEndpoint, now: Date): string[] => {
  const { secret_sealed: current, old_secret_sealed: old, old_secret_until: until } = endpoint;
  return [current, ...(old !== null && until !== null && until > now ? [old] : [])].map((sealed) =>
    unseal(sealingKeys, purpose(endpoint), sealed),
  );
};

/** Ids of the keys that stored secrets of webhooks need. */
export const findWebhookKeys = async (db: Db): Promise<string[]> => [
  ...new Set((await findSealedSecrets(db)).flatMap(listSealed).map(sealedWith)),
];

/** Seals the secrets of all webhooks with the first key, so that older keys can be removed. */
export async function renewWebhookSeals(ctx: Pick<WebhooksCtx, "db" | "sealingKeys">): Promise<void> {
  const { db, sealingKeys } = ctx;
  const isOld = (sealed: string) => {
    const id = sealedWith(sealed);
    return id !== sealingKeys[0]?.id && sealingKeys.some((key) => key.id === id);
  };
  const renew = (endpoint: Place, sealed: string) =>
    isOld(sealed) ? sealSecret(ctx, endpoint, unseal(sealingKeys, purpose(endpoint), sealed)) : sealed;
  for (const found of await findSealedSecrets(db)) {
    if (!listSealed(found).some(isOld)) continue;
    const place = { realmId: found.realm_id, id: found.id };
    await db.transaction().execute(async (tx) => {
      const endpoint = await lockEndpoint(tx, place);
      if (!endpoint) return;
      const { secret_sealed: current, old_secret_sealed: old } = endpoint;
      await changeEndpoint(tx, place, {
        secret_sealed: renew(endpoint, current),
        old_secret_sealed: old && renew(endpoint, old),
      });
    });
  }
}

const listSealed = ({
  secret_sealed: current,
  old_secret_sealed: old,
}: Pick<StoredEndpoint, "secret_sealed" | "old_secret_sealed">): string[] => [
  current,
  ...(old === null ? [] : [old]),
];
