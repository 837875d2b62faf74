/** How our pages are made: plain HTML without scripts, readable on a telephone, and never in a frame. */

import { createHash } from 'node:crypto';

/** A text that is HTML already. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | Html | readonly Html[] | undefined;

/** Escapes every value that is not HTML already. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
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
button.second, a.second { background: transparent; color: #1d4ed8; }
.wrong { border-left: .3rem solid #b42318; padding-left: .75rem; }
.code { font: 600 1.75rem/1.4 ui-monospace, monospace; text-align: center; }
.done { border-left: .3rem solid #067647; padding-left: .75rem; }
.note { color: #4a5565; font-size: .9rem; }
:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  body { color: #e6eaf0; background: #11151b; }
  section { background: #1a2029; border-color: #364152; }
  input { background: #11151b; }
  button.second, a.second { color: #93b4ff; border-color: #93b4ff; }
  .note { color: #a9b4c2; }
}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** A page and where its forms may lead. */
export interface SignInPage {
  readonly html: string;
  /** Where the browser may go after a form, besides our own pages, as a source of the content policy. */
  readonly leadsTo?: string;
  /** The browser loads the page again after this time. */
  readonly reloadsAfterS?: number;
}

/** Headers of every page. The address of a page is not told to other sites. */
export function pageHeaders({ leadsTo, reloadsAfterS }: Omit<SignInPage, 'html'> = {}): Record<
  string,
  string
> {
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
    ...(reloadsAfterS === undefined ? {} : { refresh: String(reloadsAfterS) }),
  };
}

export function document(title: string, main: Html): string {
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
