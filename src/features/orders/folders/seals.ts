import type { FoldersCtx } from "#features/orders/ctx.ts";
import { secretPurpose } from "#features/orders/folders/open-folder.ts";
import { changeFolder, findFolderSeals } from "#features/orders/folders/store.ts";
import { seal, sealedWith, unseal } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/connect.ts";

/** Ids of the keys that stored secrets of folders need. */
export const findFolderKeys = async (db: Db): Promise<string[]> => [
  ...new Set((await findFolderSeals(db)).map((folder) => sealedWith(folder.secret_sealed))),
];

/** Seals the secrets of all folders with the first key, so that older keys can be removed. */
export async function renewFolderSeals({
  db,
  sealingKeys,
}: Pick<FoldersCtx, "db" | "sealingKeys">): Promise<void> {
  for (const folder of await findFolderSeals(db)) {
    const id = sealedWith(folder.secret_sealed);
    if (id === sealingKeys[0]?.id || !sealingKeys.some((key) => key.id === id)) continue;
    const secret = unseal(sealingKeys, secretPurpose(folder), folder.secret_sealed);
    await changeFolder(db, folder, { secret_sealed: seal(sealingKeys, secretPurpose(folder), secret) });
  }
}
