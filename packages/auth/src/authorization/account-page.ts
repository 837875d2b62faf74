/** The pages of a person's accounts at servers. */

import { visibleLine } from '@callsign/core';

import { document, html, type SignInPage } from './page-markup.js';

export interface AccountsPage {
  /** Who is signed in. */
  readonly person: string;
  readonly sealed: string;
  readonly servers: readonly {
    readonly key: string;
    readonly title: string;
    /** Milliseconds since 1970. Missing: there is no account. */
    readonly since: number | undefined;
    /** Whether the server is still there. */
    readonly canLink: boolean;
  }[];
  /** The server at which an account was just linked. */
  readonly done: string | undefined;
}

/** What a person has linked, and what they can link. */
export function accountsPage({ person, sealed, servers, done }: AccountsPage): SignInPage {
  const main = html`<h1>Your accounts</h1>
    ${
      done === undefined
        ? undefined
        : html`<p class="done" role="status">
            Your account at <b>${visibleLine(done, 80)}</b> is linked. Go back to your client, and
            make the call again if it did not go on.
          </p>`
    }
    <p>
      You are signed in as <b>${person}</b>. With these accounts, your clients act in your name.
    </p>
    ${
      servers.length === 0
        ? html`<p>No server here has accounts that you can link.</p>`
        : html`${servers.map(({ key, title, since, canLink }) => {
            const query = new URLSearchParams({ server: key }).toString();
            const word = since === undefined ? 'Link an account' : 'Link another account';
            const kind = since === undefined ? 'button' : 'button second';
            return html`<section>
              <h2>${visibleLine(title, 80)}</h2>
              <p>${since === undefined ? 'No account' : `Linked on ${dayOf(since)}`}</p>
              ${canLink ? html`<a class="${kind}" href="/accounts/link?${query}">${word}</a>` : undefined}
              ${
                since === undefined
                  ? undefined
                  : html`<form method="post" action="/accounts/remove">
                      <input type="hidden" name="request" value="${sealed}" />
                      <button class="second" name="server" value="${key}">Remove</button>
                    </form>`
              }
            </section>`;
          })}`
    }
    ${signOutForm(sealed)}`;
  return { html: document('Your accounts', main) };
}

export interface LinkPage {
  readonly person: string;
  readonly title: string;
  /** The address of the server. */
  readonly url: string;
  /** Where the person signs in. */
  readonly target: URL;
}

/** Leads on to the sign-in page of the server. Shows its host, because that is where the person types a password. */
export function linkPage({ person, title, url, target }: LinkPage): SignInPage {
  const name = visibleLine(title, 80);
  const main = html`<h1>Link your account at ${name}</h1>
    <p>Your clients then use <b>your</b> account at ${name}. No one else uses it.</p>
    <section>
      <dl>
        <dt>You are signed in to this gateway as</dt>
        <dd>${person}</dd>
        <dt>Server</dt>
        <dd>${new URL(url).host}</dd>
        <dt>You sign in at</dt>
        <dd>${target.host}</dd>
      </dl>
      <a class="button" href="${target.href}">Continue to ${target.host}</a>
      <a class="button second" href="/accounts">Cancel</a>
    </section>
    <p class="note">You can remove the account at any time, on the page “Your accounts”.</p>`;
  return { html: document('Link your account', main) };
}

export interface ValuesPage {
  readonly person: string;
  readonly sealed: string;
  readonly key: string;
  readonly title: string;
  readonly slots: readonly { readonly name: string; readonly label: string }[];
  readonly wrong: string | undefined;
}

/** Asks a person for what a server needs. What was filled in before is never shown. */
export function valuesPage({ person, sealed, key, title, slots, wrong }: ValuesPage): SignInPage {
  const name = visibleLine(title, 80);
  const main = html`<h1>Link your account at ${name}</h1>
    <p>
      You are signed in as <b>${person}</b>. Your clients then use <b>your</b> account at ${name}.
      No one else uses it.
    </p>
    ${wrong === undefined ? undefined : html`<p class="wrong" role="alert">${wrong}</p>`}
    <section>
      <form method="post" action="/accounts/values">
        <input type="hidden" name="request" value="${sealed}" />
        <input type="hidden" name="server" value="${key}" />
        ${slots.map(
          (slot, i) =>
            html`<label for="value-${String(i)}">${visibleLine(slot.label, 120)}</label>
              <input
                id="value-${String(i)}"
                name="value ${slot.name}"
                type="password"
                required
                maxlength="4096"
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
              />`,
        )}
        <p class="note">It is stored encrypted, and sent to ${name} only.</p>
        <button>Link</button>
        <a class="button second" href="/accounts">Cancel</a>
      </form>
    </section>`;
  return { html: document('Link your account', main) };
}

/** The link of another person, or one of an earlier start. */
export function foreignLinkPage(person: string, sealed: string): SignInPage {
  const main = html`<h1>This link is not yours</h1>
    <p class="wrong" role="alert">
      It was made for another person, or before the gateway was started again.
    </p>
    <p>
      You are signed in as <b>${person}</b>. If you got this link from another person, close the
      page. If your own client showed it, make the call again and open the new link.
    </p>
    <section><a class="button" href="/accounts">Show my accounts</a></section>
    ${signOutForm(sealed)}`;
  return { html: document('Not your link', main) };
}

/** The person declined, or the server has moved meanwhile. */
export function notLinkedPage({
  key,
  title,
}: {
  readonly key: string;
  readonly title: string;
}): SignInPage {
  const query = new URLSearchParams({ server: key }).toString();
  const main = html`<h1>No account was linked</h1>
    <p>${visibleLine(title, 80)} did not let the gateway in.</p>
    <section>
      <a class="button" href="/accounts/link?${query}">Try again</a>
      <a class="button second" href="/accounts">Show my accounts</a>
    </section>`;
  return { html: document('Not linked', main) };
}

function signOutForm(sealed: string): ReturnType<typeof html> {
  return html`<form method="post" action="/accounts/sign-out">
    <input type="hidden" name="request" value="${sealed}" />
    <button class="second">Leave these pages</button>
  </form>`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
