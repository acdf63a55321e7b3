/**
 * Whether a product started here answers browsers, and so needs pages: a worker alone does not.
 * @param dotEnv the text of `.env`, which the product itself reads later; the environment goes before it
 */
export function servesPages(environment, dotEnv) {
  const roles = environment.ROLES ?? /^ROLES=(.*)$/m.exec(dotEnv)?.[1] ?? "";
  return roles.trim() === "" || roles.includes("web");
}
