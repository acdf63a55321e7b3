import { fileURLToPath } from "node:url";
import { build, type Rolldown } from "vite";

/** Names of the packages of a pair in `package.json`. */
export type Pair = { stripeJs: string; reactStripeJs: string };

/**
 * Builds the payment page with a pair of Stripe's libraries, as React is in development: there it runs each effect
 * twice. @returns its one script
 */
export async function buildPayingPage({ stripeJs, reactStripeJs }: Pair): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: "warn",
    mode: "development",
    define: { "process.env.NODE_ENV": '"development"' },
    resolve: {
      alias: [
        { find: /^@stripe\/stripe-js(?=\/)/, replacement: stripeJs },
        { find: /^@stripe\/react-stripe-js$/, replacement: reactStripeJs },
      ],
    },
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      lib: { entry: ENTRY, formats: ["es"] },
    },
  });
  const [{ output }] = made as [Rolldown.RolldownOutput];
  return output[0].code;
}

const ENTRY = fileURLToPath(new URL("page.tsx", import.meta.url));
