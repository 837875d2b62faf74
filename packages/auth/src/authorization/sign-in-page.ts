/** The pages of a sign-in: plain HTML without scripts, readable on a telephone, and never in a frame. */

import { createHash } from 'node:crypto';

import { visibleLine } from '@callsign/core';

/** A text that is HTML already. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | Html | readonly Html[] | undefined;

/** Escapes every value that is not HTML already. */
function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  const parts = strings.map((string, i) => string + (i < values.length ? markup(values[i]) : ''));
  return new Html(parts.join(''));
}

function markup(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part !== 'string') return part.map(({ text }) => text).join('');
  return part.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: #1c2430; background: #f3f5f8; }
main { max-width: 32rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
section { background: #fff; border: 1px solid #cfd6e0; border-radius: .5rem; padding: 1.25rem; margin-top: 1rem; }
h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 0 0 .5rem; }
p { margin: .5rem 0; overflow-wrap: anywhere; }
dl { margin: 1rem 0 0; }
dt { font-weight: 600; margin-top: .75rem; }
dd { margin: 0; overflow-wrap: anywhere; }
ul { margin: 0; padding-left: 1.25rem; }
label { display: block; font-weight: 600; }
input { width: 100%; font: inherit; padding: .6rem; margin: .25rem 0 .75rem; border: 1px solid #6b7788; border-radius: .35rem; background: #fff; color: inherit; }
button, a.button { display: block; width: 100%; font: inherit; font-weight: 600; text-align: center; padding: .7rem; margin-top: .75rem; border-radius: .35rem; border: 1px solid #1d4ed8; background: #1d4ed8; color: #fff; text-decoration: none; cursor: pointer; }
button.second { background: transparent; color: #1d4ed8; }
.wrong { border-left: .3rem solid #b42318; padding-left: .75rem; }
.note { color: #4a5565; font-size: .9rem; }
:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  body { color: #e6eaf0; background: #11151b; }
  section { background: #1a2029; border-color: #364152; }
  input { background: #11151b; }
  button.second { color: #93b4ff; border-color: #93b4ff; }
  .note { color: #a9b4c2; }
}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** A page and where its forms may lead. */
export interface SignInPage {
  readonly html: string;
  /** Where the browser may go after a form, besides our own pages, as a source of the content policy. */
  readonly leadsTo?: string;
}

/** Headers of every page. The address of a page is not told to other sites. */
export function pageHeaders({ leadsTo }: Pick<SignInPage, 'leadsTo'> = {}): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action 'self'${leadsTo === undefined ? '' : ` ${leadsTo}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    // Not "no-referrer": browsers would then hide the origin of our own forms from us.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

/** The source of a content policy that allows a redirect to this address. */
function policySource(uri: string): string {
  const { protocol, host, hostname } = new URL(uri);
  const isWeb = protocol === 'http:' || protocol === 'https:';
  // A content policy cannot name an IPv6 address.
  return isWeb && !hostname.startsWith('[') ? `${protocol}//${host}` : protocol;
}

/** Where a client belongs, as far as it is proved, and where it gets its code. */
export interface ShownClient {
  /** What it calls itself. */
  readonly name: string;
  /** The host that publishes its metadata document. Missing: nothing proves where it belongs. */
  readonly host?: string | undefined;
  /** The host, or the app, that gets the code. */
  readonly target: string;
}

export interface WayPage {
  readonly client: ShownClient;
  readonly sealed: string;
  /** Whether an API key may be pasted. */
  readonly keys: boolean;
  /** What the OpenID provider is called. */
  readonly provider?: string | undefined;
  readonly wrong?: string | undefined;
}

/** Asks the person who they are. */
export function wayPage({ client, sealed, keys, provider, wrong }: WayPage): SignInPage {
  const query = new URLSearchParams({ request: sealed }).toString();
  const main = html`<h1>Sign in</h1>
    <p>${clientWords(client)} wants to use the tools of this gateway. First say who you are.</p>
    ${wrongText(wrong)}
    ${
      provider !== undefined
        ? html`<section>
            <a class="button" href="/authorize/provider?${query}">Sign in with ${provider}</a>
          </section>`
        : undefined
    }
    ${
      keys
        ? html`<section>
            <form method="post" action="/authorize/key">
              <input type="hidden" name="request" value="${sealed}" />
              <label for="key">Your key for this gateway</label>
              <input
                id="key"
                name="key"
                type="password"
                required
                maxlength="200"
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
              />
              <p class="note">
                The operator of the gateway gave it to you. The client does not see it.
              </p>
              <button>Continue</button>
            </form>
          </section>`
        : undefined
    }`;
  return { html: document('Sign in', main) };
}

export interface ConsentPage {
  readonly client: ShownClient;
  readonly redirectUri: string;
  readonly sealed: string;
  /** Who signed in. */
  readonly person: string;
  readonly roles: readonly string[];
  /** The tool set that the person's key is bound to. */
  readonly set: string | undefined;
  /** How many tools of each label the client gets. */
  readonly tools: readonly { readonly label: string; readonly count: number }[];
  readonly days: number;
}

/** Asks the person whether the client may act for them. */
export function consentPage(page: ConsentPage): SignInPage {
  const { client, redirectUri, sealed, person, roles, set, tools, days } = page;
  const title = `Allow ${client.host ?? client.target}?`;
  const name =
    client.name === '' || client.name === client.host
      ? undefined
      : html`<dt>It calls itself</dt>
          <dd>“${visibleLine(client.name, 80)}”. Any client can choose any name.</dd>`;
  const main = html`<h1>${title}</h1>
    <p>${clientWords(client)} wants to use the tools of this gateway in your name.</p>
    ${
      client.host === undefined
        ? html`<p class="wrong">
            Nothing proves who made this client. Allow it only if you have just connected it
            yourself.
          </p>`
        : undefined
    }
    <section>
      <dl>
        <dt>You are signed in as</dt>
        <dd>${visibleLine(person, 120)}</dd>
        ${name}
        <dt>It gets its answer at</dt>
        <dd>${client.target}</dd>
        <dt>Tools that it can call</dt>
        <dd>${toolList(tools)}</dd>
        <dt>Roles that it gets</dt>
        <dd>${roles.length === 0 ? 'none' : visibleLine(roles.join(', '), 400)}</dd>
        ${
          set === undefined
            ? undefined
            : html`<dt>Only from the tool set</dt>
                <dd>${visibleLine(set, 80)}</dd>`
        }
        <dt>For how long</dt>
        <dd>${days === 1 ? 'a day' : `${days} days`}, or until the sign-in is revoked</dd>
      </dl>
      <form method="post" action="/authorize/consent">
        <input type="hidden" name="request" value="${sealed}" />
        <button name="answer" value="allow">Allow</button>
        <button class="second" name="answer" value="refuse">Refuse</button>
      </form>
    </section>`;
  return { html: document(title, main), leadsTo: policySource(redirectUri) };
}

/** Says why a sign-in cannot go on. It never leads to another site. */
export function problemPage(why: string): SignInPage {
  const main = html`<h1>This sign-in cannot go on</h1>
    ${wrongText(why)}
    <p class="note">To try again, start from your client.</p>`;
  return { html: document('Sign-in', main) };
}

function toolList(tools: ConsentPage['tools']): Html {
  const some = tools.filter(({ count }) => count > 0);
  if (some.length === 0) return html`none at the moment`;
  return html`<ul>
    ${some.map(({ label, count }) => html`<li>${String(count)} ${label}</li>`)}
  </ul>`;
}

function clientWords({ host, target }: ShownClient): Html {
  return host === undefined ? html`A client at <b>${target}</b>` : html`<b>${host}</b>`;
}

function wrongText(wrong: string | undefined): Html | undefined {
  return wrong === undefined ? undefined : html`<p class="wrong" role="alert">${wrong}</p>`;
}

function document(title: string, main: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Callsign</title>
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main>${main}</main>
      </body>
    </html> `.text;
}
