import * as react from "react";

const INTERNALS = "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE";

/**
 * Keeps React from recording the stack of every element for a debugger, which takes a tenth of the tests' time: it
 * records none above a number of stacks a second.
 */
const internals: unknown = Reflect.get(react, INTERNALS);
if (internals instanceof Object)
  Object.defineProperty(internals, "recentlyCreatedOwnerStacks", {
    get: () => Infinity,
    set(_count: number) {},
    configurable: true,
  });
