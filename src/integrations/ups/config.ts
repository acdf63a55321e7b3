import type { Config } from "#platform/config/read-config.ts";

/** UPS's address and our credentials. */
export type UpsConfig = NonNullable<Config["ups"]>;

/** Version of the API whose shapes we send. */
export const API_VERSION = "v2409";
