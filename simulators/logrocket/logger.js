// Stands in for LogRocket's script: does what the package calls it for, as far as tests look at it.
{
  /** Uploads in a worker made from a text, as LogRocket's script does. */
  const UPLOADER =
    "onmessage = ({ data }) => { fetch(data.to, { method: 'POST', body: data.body }).catch(() => undefined); };";

  const KINDS = {
    "lr.core.LogEvent": "console",
    "lr.network.RequestEvent": "network",
    "lr.network.ResponseEvent": "network",
  };

  window._LRLogger = class {
    constructor({ sdkVersion }) {
      this.version = sdkVersion;
      this.recordingURL = "https://app.logrocket.example/recording";
      this.events = [];
    }

    init(appId, options) {
      this.appId = appId;
      this.options = options;
      this.worker = new Worker(URL.createObjectURL(new Blob([UPLOADER], { type: "text/javascript" })));
      this.keep("init", { release: options.release, ip: options.shouldCaptureIP !== false });
      this.draw();
      const changes = { subtree: true, childList: true, attributes: true, characterData: true };
      new MutationObserver(() => this.draw()).observe(document, changes);
      document.addEventListener("input", () => this.draw(), true);
      this.post(window.__SDKCONFIG__.statsURL, { started: true });
      setInterval(() => this.upload(), 300);
    }

    identify(id, traits) {
      this.keep("identify", { id, traits });
    }

    startNewSession() {
      this.keep("startNewSession", {});
    }

    track(name, properties) {
      this.keep("track", { name, properties });
    }

    uninstall() {
      this.isEnded = true;
    }

    /** Asks for a message with the options of its kind, as the package expects. */
    addEvent(type, getMessage, { hrefOverride } = {}) {
      const message = getMessage(this.options[KINDS[type]] ?? {});
      if (message) this.keep(type, { message, page: this.address(hrefOverride) });
    }

    /** Records the page by the options: a text, an input, a picture or an attribute that is not sanitized goes along. */
    draw() {
      const {
        textSanitizer,
        inputSanitizer,
        hideSelectors = [],
        hiddenAttributes = [],
        disablePageTitles,
      } = this.options.dom ?? {};
      const blocked = hideSelectors.join(",");
      const describe = (node) => {
        if (node.nodeType === Node.TEXT_NODE) return textSanitizer ? node.data.length : node.data;
        if (node.nodeType !== Node.ELEMENT_NODE || /^(SCRIPT|STYLE)$/.test(node.tagName)) return null;
        if (blocked && node.matches(blocked)) return node.tagName;
        const shown = [...node.attributes].filter(({ name }) => !hiddenAttributes.includes(name));
        const attributes = Object.fromEntries(shown.map(({ name, value }) => [name, value]));
        return [
          node.tagName,
          attributes,
          inputSanitizer ? null : node.value,
          [...node.childNodes].map(describe),
        ];
      };
      this.drawn = {
        page: this.address(location.href),
        title: disablePageTitles ? null : document.title,
        content: describe(document.documentElement),
      };
    }

    address(address = "") {
      return this.options.browser?.urlSanitizer?.(address) ?? address;
    }

    keep(type, facts) {
      this.events.push({ type, facts });
    }

    upload() {
      if (this.isEnded || (this.events.length === 0 && !this.drawn)) return;
      this.post(window.__SDKCONFIG__.serverURL, { events: this.events.splice(0), drawn: this.drawn });
      this.drawn = null;
    }

    post(address, body) {
      const to = `${address}?a=${encodeURIComponent(this.appId)}&r=1`;
      this.worker.postMessage({ to, body: JSON.stringify(body) });
    }
  };
}
