// The simulator's Stripe.js: the part of its interface that card payments need. The card fields live in a frame of
// the simulator's own origin; this script, which runs in the page of a product, never sees a card number.
(() => {
  const { origin: ORIGIN, pathname } = new URL(document.currentScript.src);
  /** Named by the script's address, as `/endive/stripe.js`; the first of all is a number. */
  const RELEASE = pathname.startsWith("/v3") ? 3 : pathname.split("/")[1];
  const FRAME_HEIGHT = 320;

  const fault = (type, message, more = {}) => ({ error: { type, message, ...more } });

  /** Reads from the API with the publishable key. Resolves with what it answers, an error included. */
  async function callApi({ key, version }, { name, query }) {
    const fields = new URLSearchParams({ key, ...(version ? { _stripe_version: version } : {}), ...query });
    try {
      const response = await fetch(`${ORIGIN}/v1/${name}?${fields}`);
      return await response.json();
    } catch {
      return fault("api_connection_error", "We are experiencing issues connecting to our payments provider.");
    }
  }

  const idOf = (secret) => String(secret).split("_secret_")[0];

  function createEmitter() {
    const handlers = new Map();
    return {
      on(name, handler) {
        handlers.set(name, [...(handlers.get(name) ?? []), handler]);
        return this;
      },
      once(name, handler) {
        const first = (event) => {
          this.off(name, first);
          handler(event);
        };
        return this.on(name, first);
      },
      off(name, handler) {
        handlers.set(
          name,
          (handlers.get(name) ?? []).filter((each) => handler !== undefined && each !== handler),
        );
        return this;
      },
      emit(name, event) {
        for (const handler of handlers.get(name) ?? []) handler(event);
      },
    };
  }

  /** The card form: a frame, and messages to and from it. */
  function createCardElement(settings) {
    const events = createEmitter();
    const waiting = new Map();
    let frame = null;
    let asked = 0;

    const receive = ({ origin, source, data }) => {
      if (origin !== ORIGIN || !frame || source !== frame.contentWindow) return;
      if (data.type === "ready") {
        send({ type: "settings", ...settings() });
        events.emit("ready", { elementType: "payment" });
      }
      if (data.type === "height") frame.style.height = `${data.height}px`;
      if (data.type === "change")
        events.emit("change", {
          elementType: "payment",
          empty: data.empty,
          complete: data.complete,
          collapsed: false,
          value: { type: "card" },
        });
      if (["focus", "blur", "escape"].includes(data.type)) events.emit(data.type, { elementType: "payment" });
      if (data.type === "answer") {
        waiting.get(data.id)?.(data.answer);
        waiting.delete(data.id);
      }
    };
    const send = (message) => frame?.contentWindow?.postMessage(message, ORIGIN);
    const ask = (message) =>
      new Promise((resolve) => {
        if (!frame) return resolve(fault("validation_error", "The payment form is not on the page."));
        asked += 1;
        waiting.set(asked, resolve);
        send({ ...message, id: asked });
      });

    const element = {
      ...events,
      mount(target) {
        const place = typeof target === "string" ? document.querySelector(target) : target;
        if (!place) throw new Error("The selector you specified applies to no DOM elements.");
        element.unmount();
        frame = document.createElement("iframe");
        frame.title = "Secure payment input frame";
        frame.name = "__privateStripeFrame";
        frame.src = `${ORIGIN}/elements/card`;
        frame.allow = "payment *";
        Object.assign(frame.style, {
          border: "0",
          display: "block",
          // The fields begin where the page's own text does; beside them is room for the ring of focus.
          width: "calc(100% + 4px)",
          margin: "0 -2px",
          height: `${FRAME_HEIGHT}px`,
          colorScheme: "normal",
        });
        window.addEventListener("message", receive);
        place.replaceChildren(frame);
        events.emit("loaderstart", { elementType: "payment" });
      },
      unmount() {
        window.removeEventListener("message", receive);
        frame?.remove();
        frame = null;
      },
      destroy() {
        element.unmount();
      },
      update() {
        send({ type: "settings", ...settings() });
      },
      focus: () => send({ type: "focus" }),
      blur: () => send({ type: "blur" }),
      clear: () => send({ type: "clear" }),
      collapse: () => undefined,
      _ask: ask,
    };
    return element;
  }

  function createElements(options) {
    let current = { ...options };
    let element = null;
    const emitter = createEmitter();
    return {
      ...emitter,
      create(type) {
        if (type !== "payment") throw new Error(`The simulated Stripe.js has no element of type ${type}.`);
        if (element)
          throw new Error("Can only create one Element of type payment through the same Elements instance.");
        element = createCardElement(() => ({
          theme: current.appearance?.theme ?? "stripe",
          variables: current.appearance?.variables ?? {},
        }));
        const destroy = element.destroy;
        element.destroy = () => {
          destroy();
          element = null;
        };
        return element;
      },
      getElement: () => element,
      async update(changes) {
        current = { ...current, ...changes, clientSecret: current.clientSecret };
        element?.update();
        emitter.emit("update-end", {});
      },
      async fetchUpdates() {
        return {};
      },
      async submit() {
        if (!element) return fault("validation_error", "The payment form is not on the page.");
        return element._ask({ type: "validate" });
      },
      _secret: () => current.clientSecret,
      _element: () => element,
    };
  }

  /** Opens the bank's question over the page. Resolves when its holder has answered. */
  function challenge(secret) {
    return new Promise((resolve) => {
      const dialog = document.createElement("dialog");
      dialog.setAttribute("aria-label", "3D Secure");
      const frame = document.createElement("iframe");
      frame.title = "3D Secure challenge frame";
      frame.name = "stripe-challenge-frame";
      frame.src = `${ORIGIN}/elements/challenge/${idOf(secret)}?${new URLSearchParams({ client_secret: secret })}`;
      Object.assign(dialog.style, { border: "0", padding: "0", borderRadius: "8px", maxWidth: "100vw" });
      Object.assign(frame.style, {
        border: "0",
        display: "block",
        width: "min(400px, 90vw)",
        height: "320px",
      });
      const end = () => {
        window.removeEventListener("message", receive);
        dialog.remove();
        resolve();
      };
      const receive = ({ origin, source, data }) => {
        if (origin === ORIGIN && source === frame.contentWindow && data.type === "answered") end();
      };
      window.addEventListener("message", receive);
      dialog.append(frame);
      document.body.append(dialog);
      dialog.addEventListener("cancel", (event) => event.preventDefault());
      dialog.showModal();
    });
  }

  const nameOf = (kind) => (kind === "payment_intent" ? "paymentIntent" : "setupIntent");

  /** The address to return to, with what was confirmed added to its own query. */
  function withIntent(returnUrl, { kind, intent, secret }) {
    const target = new URL(returnUrl);
    target.searchParams.set(kind, intent.id);
    target.searchParams.set(`${kind}_client_secret`, secret);
    target.searchParams.set("redirect_status", intent.status === "succeeded" ? "succeeded" : "pending");
    return target.href;
  }

  function createStripe(key, options = {}) {
    if (typeof key !== "string" || !key.startsWith("pk_"))
      throw new Error("Invalid value for Stripe(): apiKey should be a publishable key.");
    const version = options.apiVersion;
    if (version && RELEASE !== 3) {
      const refused = new Error(
        `Unsupported on version [${RELEASE}]: Can not provide apiVersion to Stripe(). Remove this option.`,
      );
      refused.name = "VersionError";
      throw refused;
    }
    const retrieve = async (kind, secret) => {
      const answer = await callApi(
        { key, version },
        {
          name: `${kind}s/${idOf(secret)}`,
          query: { client_secret: secret },
        },
      );
      return answer.error
        ? { error: answer.error }
        : { [kind === "payment_intent" ? "paymentIntent" : "setupIntent"]: answer };
    };

    async function confirm(kind, { elements, clientSecret, confirmParams = {}, redirect = "always" }) {
      const secret = clientSecret ?? elements?._secret();
      const element = elements?._element();
      if (!element) return fault("validation_error", "The payment form is not on the page.");
      const returnUrl = confirmParams.return_url;
      const answer = await element._ask({ type: "confirm", kind, secret, key, version, returnUrl });
      if (answer.error) return { error: answer.error };
      const { intent, error } = await settle(kind, answer, secret);
      if (error) return { error };
      if (redirect === "if_required") return { [nameOf(kind)]: intent };
      window.location.assign(withIntent(returnUrl, { kind, intent, secret }));
      return new Promise(() => undefined);
    }

    /** Asks the cardholder where needed and returns the resulting intent. */
    async function settle(kind, intent, secret) {
      if (intent.status !== "requires_action") return { intent };
      await challenge(secret);
      const after = await retrieve(kind, secret);
      if (after.error) return { error: after.error };
      const known = after[nameOf(kind)];
      const failure = known.last_payment_error;
      const isFailed = known.status === "requires_payment_method" && failure;
      return isFailed ? { error: { ...failure, payment_intent: known } } : { intent: known };
    }

    const notSimulated = async () =>
      fault("invalid_request_error", "The simulated Stripe.js does not do this.");
    return {
      elements: (given = {}) => createElements(given),
      confirmPayment: (given) => confirm("payment_intent", given),
      confirmSetup: (given) => confirm("setup_intent", given),
      retrievePaymentIntent: (secret) => retrieve("payment_intent", secret),
      retrieveSetupIntent: (secret) => retrieve("setup_intent", secret),
      async handleNextAction({ clientSecret }) {
        await challenge(clientSecret);
        return retrieve("payment_intent", clientSecret);
      },
      createToken: notSimulated,
      createPaymentMethod: notSimulated,
      confirmCardPayment: notSimulated,
      registerAppInfo: () => undefined,
      _registerWrapper: () => undefined,
    };
  }

  function Stripe(key, options) {
    return createStripe(key, options);
  }
  Stripe.version = RELEASE;
  window.Stripe = Stripe;
})();
