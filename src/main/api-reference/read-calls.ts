/** The parts of a JSON Schema that our document has. */
export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  description?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
};

export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
};

type Content = Readonly<Record<string, { schema?: Schema }>>;

type Operation = {
  summary: string;
  description: string;
  security?: readonly { key?: readonly string[] }[];
  parameters: readonly (Parameter | { $ref: string })[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { description: string; content?: Content }>>;
};

/** Our OpenAPI document. */
export type OpenApi = {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    parameters: Readonly<Record<string, Parameter>>;
  };
};

/** One call of the interface. */
export type Call = {
  /** Anchor of the call on the page. */
  id: string;
  group: string;
  method: string;
  path: string;
  summary: string;
  /** Who may make it. */
  access: string;
  takesKey: boolean;
  isPublic: boolean;
  parameters: readonly Parameter[];
  /** By media type. */
  body: readonly [string, Schema][];
  answers: readonly { status: string; description: string; content: readonly [string, Schema][] }[];
};

/** Reads the calls of the document: those for API keys first, else in its order. */
export const readCalls = (document: OpenApi): Call[] =>
  listCalls(document).toSorted((a, b) => Number(b.takesKey) - Number(a.takesKey));

function listCalls({ paths, components }: OpenApi): Call[] {
  const resolve = (parameter: Parameter | { $ref: string }): Parameter[] => {
    if (!("$ref" in parameter)) return [parameter];
    const found = components.parameters[lastPart(parameter.$ref)];
    return found ? [found] : [];
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      id: `${method}${path.replaceAll(/\W+/g, "-").replace(/-$/, "")}`,
      group: readGroup(path),
      method: method.toUpperCase(),
      path,
      summary: operation.summary,
      access: operation.description,
      isPublic: operation.security === undefined,
      takesKey: operation.security?.some(({ key }) => key !== undefined) ?? false,
      parameters: operation.parameters.flatMap(resolve),
      body: readContent(operation.requestBody?.content),
      answers: Object.entries(operation.responses).map(([status, { description, content }]) => ({
        status,
        description,
        content: readContent(content),
      })),
    })),
  );
}

export const lastPart = (ref: string): string => ref.split("/").at(-1) ?? "";

/** First part of the path after the version: "orders" of /api/v1/orders/{order}. */
const readGroup = (path: string): string => path.split("/")[3] ?? "";

const readContent = (content: Content = {}): [string, Schema][] =>
  Object.entries(content).map(([type, { schema = {} }]) => [type, schema]);
