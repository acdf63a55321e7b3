type Inert = (() => Inert) & { readonly [key: string]: Inert };

/**
 * Replaces Zod in the browser bundle: every property and every call returns this same value (see
 * vite.config.ts).
 */
export const z: Inert = new Proxy((() => z) as Inert, { get: () => z, apply: () => z });
