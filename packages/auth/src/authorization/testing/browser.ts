/** A person's browser: it keeps cookies, fills in forms, and shows where redirects lead without following them. */

/** A page, or a redirect. */
export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where a redirect leads. */
  readonly location?: URL;
}

const LONGEST_COOKIE = 4096;

export class Browser {
  readonly #cookies = new Map<string, string>();

  /** Opens an address, as when a program or a link opens it. */
  open(url: string | URL): Promise<Seen> {
    return this.#send(url, { headers: { 'sec-fetch-site': 'cross-site' } });
  }

  /** Shows its cookies at another port too, as browsers do. */
  moveTo(origin: string): void {
    const { host } = new URL(origin);
    for (const [key, value] of this.#cookies) {
      this.#cookies.set(`${host} ${key.split(' ')[1]}`, value);
    }
  }

  /** Deletes its cookies of one address. */
  forget(origin: string): void {
    const { host } = new URL(origin);
    for (const key of this.#cookies.keys())
      if (key.startsWith(`${host} `)) this.#cookies.delete(key);
  }

  /** Follows redirects until there is a page, or until an address that `isEnd` knows. */
  async follow(url: string | URL, isEnd: (url: URL) => boolean = () => false): Promise<Seen> {
    let seen = await this.open(url);
    for (let i = 0; seen.location && !isEnd(seen.location) && i < 20; i++) {
      seen = await this.open(seen.location);
    }
    return seen;
  }

  /** Sends the form of a page, with its hidden fields. `at`: the address of the page. */
  submit(
    page: Seen,
    at: string | URL,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Seen> {
    const action = new URL(attribute(page.text, /<form[^>]*action="([^"]*)"/), at);
    const hidden = [...page.text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
      attribute(input, /name="([^"]*)"/),
      attribute(input, /value="([^"]*)"/),
    ]);
    return this.post(action, { ...Object.fromEntries(hidden), ...fields }, headers);
  }

  post(
    url: string | URL,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Seen> {
    return this.#send(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin', ...headers },
    });
  }

  async #send(url: string | URL, init: RequestInit): Promise<Seen> {
    const { hostname, port } = new URL(url);
    const own = [...this.#cookies].filter(([key]) => key.startsWith(`${hostname}:${port} `));
    const cookie = own.map(([key, value]) => `${key.split(' ')[1]}=${value}`).join('; ');
    const headers = { ...(init.headers as object), ...(cookie === '' ? {} : { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) {
      const [pair, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [''];
      // As browsers do, without a word.
      if (pair.length > LONGEST_COOKIE) continue;
      this.#cookies.set(`${hostname}:${port} ${name}`, value);
    }
    const location = response.headers.get('location');
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      ...(location === null ? {} : { location: new URL(location, url) }),
    };
  }
}

function attribute(markup: string, pattern: RegExp): string {
  const found = pattern.exec(markup)?.[1];
  if (found === undefined) throw new Error(`There is no ${pattern} in ${markup}`);
  return found
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&amp;', '&');
}
