/** Removes our secrets from an answer: some servers repeat the request. */

/** Every form of each secret becomes `[redacted]`. Shorter ones would also hit ordinary words. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length > 3)
    .flatMap(formsOf)
    .reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
}

/** A secret as it may stand in a URL, in a form, in JSON, and in JSON as a text of JSON. */
function formsOf(secret: string): string[] {
  const json = inJson(secret);
  const slashed = json.replaceAll('/', '\\/');
  const query = new URLSearchParams([['', secret]]).toString().slice(1);
  const forms = [secret, json, slashed, inJson(json), inJson(slashed), query];
  const all = [...forms, encodeURIComponent(secret)];
  return [...new Set([...all, ...all.map(withSmallHex)])];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Some write `%2b` for `%2B`. */
function withSmallHex(text: string): string {
  return text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
}
