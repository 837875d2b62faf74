// A person at the sign-in page of a gateway: pastes a key and says yes.

/** Resolves with the address that the browser is then led back to. */
export async function sayYes(url, key) {
  const asked = await fetch(url);
  const cookie = asked.headers.getSetCookie().map((set) => set.split(';')[0]);
  const send = (html, fields) => {
    const action = new URL(/<form[^>]*action="([^"]*)"/.exec(html)[1], url);
    const hidden = [...html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
      /name="([^"]*)"/.exec(input)[1],
      /value="([^"]*)"/.exec(input)[1],
    ]);
    return fetch(action, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: cookie.join('; '), origin: action.origin },
      body: new URLSearchParams([...hidden, ...Object.entries(fields)]),
    });
  };
  const consent = await send(await asked.text(), { key });
  const allowed = await send(await consent.text(), { answer: 'allow' });
  const back = allowed.headers.get('location');
  if (back === null) throw new Error(`the page answers ${allowed.status}`);
  return back;
}
