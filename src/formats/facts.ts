/** Facts for a sentence besides the place and the value; plain values only. Names in camelCase. */
export type Params = Readonly<Record<string, Param>>;

type Param = string | number | boolean | null | readonly (string | number)[];

/** A file that cannot be used, as facts; sentences are written where they are displayed. */
export class FileRefused extends Error {
  override name = "FileRefused";
  readonly code: string;
  readonly params: Params;
  constructor(code: string, params: Params = {}) {
    super(`${code} ${JSON.stringify(params)}`);
    this.code = code;
    this.params = params;
  }
}

/** Reads a text parameter; empty if it is not text. */
export const textParam = (params: Params, name: string): string => {
  const value = params[name];
  return typeof value === "string" ? value : "";
};

/** Reads a number parameter; 0 if it is not a number. */
export const numberParam = (params: Params, name: string): number => {
  const value = params[name];
  return typeof value === "number" ? value : 0;
};

/** Reads a list parameter as texts. */
export const listParam = (params: Params, name: string): string[] => {
  const value = params[name];
  return Array.isArray(value) ? value.map(String) : [];
};
