import type { ObjectStore } from "#integrations/objects/object-store.ts";
import { OBJECTS_ANSWER_MS } from "../../find-start-faults.ts";
import { openObjects } from "../../storage.ts";
import { OperatorError, type Operator } from "../command.ts";

/** Opens the store of documents. @throws OperatorError with the reason why it can't be used */
export async function requireObjects({ config, ctx }: Operator): Promise<ObjectStore> {
  const objects = await openObjects(config, ctx);
  const fault = await objects.findFault(OBJECTS_ANSWER_MS);
  if (fault !== null) throw new OperatorError(fault);
  return objects;
}
