/** The pages of a sign-in. */

import { visibleLine } from '@callsign/core';

import { document, type Html, html, type SignInPage } from './page-markup.js';
import type { WaitingPerson } from './seal.js';

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
  /** Missing if the person came for their own accounts. */
  readonly client: ShownClient | undefined;
  readonly sealed: string;
  /** Whether an API key may be pasted. */
  readonly keys: boolean;
  /** What the OpenID provider is called. */
  readonly provider?: string | undefined;
  /** Whether an operator can say who the person is. */
  readonly operator: boolean;
  readonly wrong?: string | undefined;
}

/** Asks the person who they are. */
export function wayPage({ client, sealed, keys, provider, operator, wrong }: WayPage): SignInPage {
  const query = new URLSearchParams({ request: sealed }).toString();
  const main = html`<h1>Sign in</h1>
    ${
      client
        ? html`<p>
            ${clientWords(client)} wants to use the tools of this gateway. First say who you are.
          </p>`
        : html`<p>These pages show your own accounts at servers. First say who you are.</p>`
    }
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
                The operator of the gateway gave it to
                you.${client ? ' The client does not see it.' : ''}
              </p>
              <button>Continue</button>
            </form>
          </section>`
        : undefined
    }
    ${
      operator
        ? html`<section>
            <form method="post" action="/authorize/name">
              <input type="hidden" name="request" value="${sealed}" />
              <label for="name">Your name</label>
              <input
                id="name"
                name="name"
                required
                maxlength="${String(LONGEST_NAME)}"
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
              />
              <p class="note">The operator of the gateway lets you in, or not.</p>
              <button>Ask the operator</button>
            </form>
          </section>`
        : undefined
    }`;
  return { html: document('Sign in', main) };
}

/** Of the name that a person gives. */
const LONGEST_NAME = 64;
const NAME = /^[a-z0-9](?:[a-z0-9._@+-]{0,62}[a-z0-9])?$/;

/** Plain letters only, so that no name looks like another one. `undefined`: it cannot be used. */
export function givenName(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return NAME.test(name) ? name : undefined;
}

/** How often the page looks for the answer. */
const LOOK_S = 4;

/** Shows a person what to tell the operator. The page goes on by itself, without a script. */
export function waitPage({ name, code }: Pick<WaitingPerson, 'code' | 'name'>): SignInPage {
  const main = html`<h1>Wait for the operator</h1>
    <p>You asked to sign in as <b>${name}</b>. Tell the operator of this gateway this code:</p>
    <section>
      <p class="code">${code}</p>
    </section>
    <p role="status">
      The operator sees the name, the client and the code. This page goes on by itself after the
      answer.
    </p>
    <p class="note">Did you not ask for this? Then close the page, and tell no one the code.</p>`;
  return { html: document('Wait', main), reloadsAfterS: LOOK_S };
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
