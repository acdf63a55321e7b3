/** @throws Error if it isn't a key of ours */
export function requireKey(key: string): string {
  if (!/^[\w-]+(\/[\w-][\w.-]*)+$/.test(key)) throw new Error(`Not an object key: ${key}`);
  return key;
}
