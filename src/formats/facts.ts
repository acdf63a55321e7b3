/** Plain values only: what a sentence says besides the place and the value. Names in camelCase. */
export type Params = Readonly<Record<string, Param>>;

type Param = string | number | boolean | null | readonly (string | number)[];

/** A file that cannot be used, as facts: sentences are made of them where they are shown. */
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

/** A text of the parameters, empty when it is none. */
export const textParam = (params: Params, name: string): string => {
  const value = params[name];
  return typeof value === "string" ? value : "";
};

/** A number of the parameters, 0 when it is none. */
export const numberParam = (params: Params, name: string): number => {
  const value = params[name];
  return typeof value === "number" ? value : 0;
};

/** A list of the parameters as texts. */
export const listParam = (params: Params, name: string): string[] => {
  const value = params[name];
  return Array.isArray(value) ? value.map(String) : [];
};
