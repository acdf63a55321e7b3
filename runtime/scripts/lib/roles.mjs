/**
 * Whether a product started here serves browsers and so needs pages; a worker alone does not.
 * @param dotEnv text of `.env`, which the product itself reads later; the environment takes precedence
 */
export function servesPages(environment, dotEnv) {
  const roles = environment.ROLES ?? /^ROLES=(.*)$/m.exec(dotEnv)?.[1] ?? "";
  return roles.trim() === "" || roles.includes("web");
}
