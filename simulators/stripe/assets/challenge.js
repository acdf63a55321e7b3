// The bank's question. Its answer goes to the simulator; the page around it learns only that there is one.
document.addEventListener("click", ({ target }) => {
  const { answer } = target.dataset ?? {};
  if (!answer) return;
  const address = new URL(window.location.href);
  address.searchParams.set("answer", answer);
  void fetch(address, { method: "POST" }).then(() => window.parent.postMessage({ type: "answered" }, "*"));
});
