// The card form inside the simulator's own frame. It sends the card to the API itself; the page around it learns only
// whether the form is complete and the result of a confirmation.
const form = document.getElementById("card");
const field = (name) => form.elements.namedItem(name);
const post = (message) => window.parent.postMessage(message, "*");

const MESSAGES = {
  number: { code: "incomplete_number", message: "Your card number is incomplete." },
  wrongNumber: { code: "invalid_number", message: "Your card number is invalid." },
  expiry: { code: "incomplete_expiry", message: "Your card's expiration date is incomplete." },
  past: { code: "invalid_expiry_year_past", message: "Your card's expiration year is in the past." },
  cvc: { code: "incomplete_cvc", message: "Your card's security code is incomplete." },
  postalCode: { code: "incomplete_zip", message: "Your ZIP is incomplete." },
};

const digits = (name) => field(name).value.replace(/\D/g, "");

function readExpiry() {
  const [, month, year] = /^\s*(\d{1,2})\s*\/?\s*(\d{2}|\d{4})\s*$/.exec(field("expiry").value) ?? [];
  if (!month || Number(month) < 1 || Number(month) > 12) return null;
  return { month: Number(month), year: Number(year) < 100 ? 2000 + Number(year) : Number(year) };
}

function passesCheckDigit(number) {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function isPast({ month, year }) {
  const now = new Date();
  return year < now.getFullYear() || (year === now.getFullYear() && month < now.getMonth() + 1);
}

/** Errors by field; the first is reported. */
function findFaults() {
  const faults = [];
  const number = digits("number");
  if (number.length < 15) faults.push(["number", MESSAGES.number]);
  else if (!passesCheckDigit(number)) faults.push(["number", MESSAGES.wrongNumber]);
  const expiry = readExpiry();
  if (!expiry) faults.push(["expiry", MESSAGES.expiry]);
  else if (isPast(expiry)) faults.push(["expiry", MESSAGES.past]);
  if (digits("cvc").length < 3) faults.push(["cvc", MESSAGES.cvc]);
  if (field("country").value === "US" && digits("postalCode").length < 5)
    faults.push(["postalCode", MESSAGES.postalCode]);
  return faults;
}

function showFaults(faults) {
  for (const name of ["number", "expiry", "cvc", "postalCode"]) {
    const found = faults.find(([of]) => of === name)?.[1].message ?? "";
    document.getElementById(`${name}-fault`).textContent = found;
    field(name).setAttribute("aria-invalid", String(found !== ""));
  }
  reportHeight();
}

function validate() {
  const faults = findFaults();
  showFaults(faults);
  if (faults.length === 0) return {};
  field(faults[0][0]).focus();
  return { error: { type: "validation_error", ...faults[0][1] } };
}

async function confirm({ kind, secret, key, version, returnUrl }) {
  const checked = validate();
  if (checked.error) return checked;
  const expiry = readExpiry();
  const body = new URLSearchParams({
    key,
    client_secret: secret,
    ...(version ? { _stripe_version: version } : {}),
    ...(returnUrl ? { return_url: returnUrl } : {}),
    expected_payment_method_type: "card",
    use_stripe_sdk: "true",
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": digits("number"),
    "payment_method_data[card][exp_month]": String(expiry.month),
    "payment_method_data[card][exp_year]": String(expiry.year),
    "payment_method_data[card][cvc]": digits("cvc"),
    "payment_method_data[billing_details][address][country]": field("country").value,
    "payment_method_data[billing_details][address][postal_code]": field("postalCode").value,
  });
  try {
    const response = await fetch(`/v1/${kind}s/${secret.split("_secret_")[0]}/confirm`, {
      method: "POST",
      body,
    });
    return await response.json();
  } catch {
    return { error: { type: "api_connection_error", message: "The payments provider did not answer." } };
  }
}

const VARIABLES = {
  colorPrimary: "--primary",
  colorBackground: "--ground",
  colorText: "--text",
  colorDanger: "--danger",
};

window.addEventListener("message", ({ source, data }) => {
  if (source !== window.parent) return;
  if (data.type === "settings") {
    document.documentElement.dataset.theme = data.theme;
    for (const [name, property] of Object.entries(VARIABLES))
      if (/^#[0-9a-f]{3,8}$/i.test(data.variables[name] ?? ""))
        document.documentElement.style.setProperty(property, data.variables[name]);
    reportHeight();
  }
  if (data.type === "focus") field("number").focus();
  if (data.type === "blur") document.activeElement?.blur();
  if (data.type === "clear") form.reset();
  if (data.type === "validate") post({ type: "answer", id: data.id, answer: validate() });
  if (data.type === "confirm")
    void confirm(data).then((answer) => post({ type: "answer", id: data.id, answer }));
});

const reportHeight = () =>
  post({ type: "height", height: Math.ceil(form.getBoundingClientRect().height) + 8 });

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("focusin", () => post({ type: "focus" }));
form.addEventListener("focusout", () => post({ type: "blur" }));
form.addEventListener("input", ({ target }) => {
  if (target.name === "number")
    target.value = digits("number")
      .slice(0, 16)
      .replace(/(\d{4})(?=\d)/g, "$1 ");
  if (target.name === "expiry" && /^\d{3,4}$/.test(target.value))
    target.value = `${target.value.slice(0, 2)} / ${target.value.slice(2)}`;
  const faults = findFaults();
  post({ type: "change", empty: form.elements.number.value === "", complete: faults.length === 0 });
});
form.addEventListener("click", ({ target }) => {
  const number = target.dataset?.number;
  if (!number) return;
  const next = String(new Date().getFullYear() + 1).slice(2);
  for (const [name, value] of Object.entries({
    number,
    expiry: `12 / ${next}`,
    cvc: "123",
    postalCode: "94607",
  }))
    field(name).value = value;
  showFaults([]);
  post({ type: "change", empty: false, complete: true });
});
document.querySelector("details").addEventListener("toggle", reportHeight);
new ResizeObserver(reportHeight).observe(form);
post({ type: "ready" });
