/** Readers of a caller's JSON, which may have any shape. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const field = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce((found, name) => (isRecord(found) ? found[name] : undefined), value);

/** A text field; "" when it is absent or not a text: UPS accepts numbers only as texts. */
export function text(value: unknown, ...names: readonly string[]): string {
  const found = field(value, ...names);
  return typeof found === "string" ? found : "";
}

/** A list on the wire: absent, one entry, or an array. */
export const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

/** Whether a field exists: UPS ignores the value of an `Indicator`. */
export const has = (value: unknown, name: string): boolean => isRecord(value) && name in value;
