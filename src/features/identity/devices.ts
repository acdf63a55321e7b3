import type { Audited } from "#features/audit/index.ts";
import type { Device } from "#features/identity/contract.ts";
import type { Session } from "#features/identity/sessions.ts";
import { findUserSessions, removeUserSessions } from "#features/identity/store.ts";
import type { Ctx } from "#platform/ctx.ts";

/** Lists the devices a user is signed in on, last used first. A device's id is the hash of its session. */
export async function listDevices({ db, clock }: Ctx, { user, idHash }: Session): Promise<Device[]> {
  const sessions = await findUserSessions(db, user.id, clock.now());
  return sessions.map((session) => ({
    id: session.idHash.toString("hex"),
    name: session.device,
    signed_in_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    is_this: session.idHash.equals(idHash),
  }));
}

/** Signs a user out on one device or on all others. Ids of other users' devices have no effect. */
export async function signOutDevices(
  ctx: Ctx & Audited,
  { user, idHash }: Session,
  id: string,
): Promise<number> {
  return ctx.db.transaction().execute(async (tx) => {
    const which = id === "others" ? { allBut: idHash } : { only: Buffer.from(id, "hex") };
    const count = await removeUserSessions(tx, user.id, which);
    await ctx.audit(tx, { action: "identity.sign_out_devices", after: { count } });
    return count;
  });
}

/** Browsers by unique parts of their header; parts that others imitate come last. */
const BROWSERS: readonly [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, "Chrome"],
  [/^(?=.*\bVersion\/).*Safari\//, "Safari"],
];

const SYSTEMS: readonly [pattern: RegExp, name: string][] = [
  [/\b(?:iPhone|iPod)\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/** Names a device for its user: "Firefox on Windows"; empty if the header names neither. */
export function nameDevice(userAgent: string): string {
  const find = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? "");
}
