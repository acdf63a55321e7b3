import type { Dsn } from "#features/telemetry/ctx.ts";

/** Values of every report, as the specification states them. */
export const ENVIRONMENT = "production";
export const BRANCH = "main";

/**
 * Project of pages whose reports are kept in our own database. It needs no secret: reports come only from our pages. No
 * program can use it, such as one with `@sentry/node`: the tunnel takes what a browser sends from this site.
 */
export function localDsn(publicUrl: string): Dsn {
  const { protocol, host } = new URL(publicUrl);
  return { text: `${protocol}//local@${host}/1`, publicKey: "local", envelopeUrl: "" };
}

/** Reads a DSN: `https://key@host/project`, with an optional path before the project. */
export function parseDsn(text: string): Dsn {
  const { protocol, username, host, pathname } = new URL(text);
  const [, folder = "", project = ""] = /^(.*)\/(\w+)\/?$/.exec(pathname) ?? [];
  return { text, publicKey: username, envelopeUrl: `${protocol}//${host}${folder}/api/${project}/envelope/` };
}
