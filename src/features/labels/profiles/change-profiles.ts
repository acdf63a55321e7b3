import type { Audited } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import { badRequest, conflict, notFound } from "#platform/errors.ts";
import { quote } from "#formats/text/phrases.ts";
import { findProfileFaults } from "#features/labels/layout/rules-faults.ts";
import { contentOf, PROFILES, toProfile } from "#features/labels/layout/rules-profiles.ts";
import { MAX_PROFILES } from "#features/labels/limits.ts";
import { profileContent, type ProfileContent, type ProfileView } from "#features/labels/profiles/contract.ts";
import * as store from "#features/labels/profiles/store.ts";
import { faultSentence } from "#features/labels/sentences-profiles.ts";
import { findLabelSettings } from "#features/labels/settings/store.ts";

type Auditing = Ctx & Audited;

/**
 * Copies a profile, one that comes with the product or the company's own, under a name of the company.
 * @throws AppError 404 for a profile that is not there, 409 for a name that is taken
 */
export async function copyProfile(
  ctx: Auditing,
  realmId: string,
  { from, name }: { from: string; name: string },
): Promise<ProfileView> {
  return ctx.db.transaction().execute(async (tx) => {
    const own = await store.listOwnProfiles(tx, realmId);
    const builtIn = PROFILES.find(({ id }) => id === from);
    const content = builtIn ? contentOf(builtIn) : own.find(({ id }) => id === from)?.content;
    if (!content) throw missing();
    if (own.length >= MAX_PROFILES)
      throw conflict(
        "too_many_profiles",
        `A company has at most ${MAX_PROFILES} label profiles. Remove one.`,
      );
    const profile = { id: ctx.ids.uuid(), name, version: 1, content };
    await save(tx, realmId, profile);
    await ctx.audit(tx, {
      action: "labels.copy_profile",
      ids: { profile: profile.id },
      after: { from, name },
    });
    return profile;
  });
}

/**
 * Changes a profile of the company. Labels that were made before have their own copy of it.
 * @throws AppError 400 for one that no label can be printed by, 404 for none, 409 for a name that is taken
 */
export async function changeProfile(
  ctx: Auditing,
  id: store.ProfileId,
  { name, content }: { name: string; content: ProfileContent },
): Promise<ProfileView> {
  const faults = findProfileFaults(toProfile({ id: id.id, name, version: 1 }, content));
  if (faults.length > 0) throw badRequest("profile_faults", faults.map(faultSentence).join("\n"));
  return ctx.db.transaction().execute(async (tx) => {
    const was = await store.lockProfile(tx, id);
    if (!was) throw missing();
    const isOther = textOf(was.content) !== textOf(content);
    const profile = { id: id.id, name, version: was.version + (isOther ? 1 : 0), content };
    await save(tx, id.realmId, profile);
    await ctx.audit(tx, {
      action: "labels.change_profile",
      ids: { profile: id.id },
      before: { name: was.name, version: was.version },
      after: { name, version: profile.version },
    });
    return profile;
  });
}

/** @throws AppError 404 for a profile that is not there, 409 for the one that labels are made with */
export async function removeProfile(ctx: Auditing, id: store.ProfileId): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const was = await store.lockProfile(tx, id);
    if (!was) throw missing();
    const settings = await findLabelSettings(tx, id.realmId);
    if (settings?.profile === id.id)
      throw conflict(
        "profile_in_use",
        `${quote(was.name)} is the profile of this company's labels. Choose another one in the label settings first.`,
      );
    await store.deleteProfile(tx, id);
    await ctx.audit(tx, {
      action: "labels.remove_profile",
      ids: { profile: id.id },
      before: { name: was.name, version: was.version },
    });
  });
}

/** Equal for equal contents: the database keeps keys in an order of its own. */
const textOf = (content: ProfileContent): string => JSON.stringify(profileContent.parse(content));

async function save(tx: Ctx["db"], realmId: string, profile: store.StoredProfile): Promise<void> {
  if (await store.saveProfile(tx, realmId, profile)) return;
  throw conflict(
    "profile_name_taken",
    `Another label profile is called ${quote(profile.name)}. Give this one its own name.`,
  );
}

const missing = () => notFound("This company has no such label profile. Reload the page.");
