/** Checks the target, its headers and its limits. */

import type { Path } from '@callsign/config/problems';
import { isSecretValue } from '@callsign/core/secrets';
import { isLoopback } from '@callsign/outbound';

import type { Auth, AuthScheme, HttpTarget } from './adapter-document.js';
import { schemesOf } from './auth-schemes.js';
import type { ReadableDocument } from './readable-parts.js';
import type { Report } from './written-document.js';

export function targetProblems(document: ReadableDocument, report: Report): void {
  const { target, auth, headers = {} } = document;
  if (target?.transport === 'http') {
    addressProblems(target.base_url, target, ['target', 'base_url'], report);
    for (const [scheme, path] of schemesIn(auth)) {
      if (scheme.type !== 'oauth2') continue;
      addressProblems(scheme.token_url, target, [...path, 'token_url'], report);
    }
  } else if (target && auth && auth.type !== 'none') {
    const message = `has no effect: the transport ${target.transport} does not sign in`;
    report('contradiction', ['auth'], message, 'remove it');
  }
  if (target?.transport === 'native' && !target.module === !target.command) {
    const advice = 'name a module or a command';
    report('contradiction', ['target'], 'needs one of module and command', advice);
  }
  for (const [scheme, path] of schemesIn(auth)) {
    if (scheme.type === 'api_key') keyProblems(scheme, path, report);
    secretProblems(scheme, path, report);
  }
  for (const name of Object.keys(headers)) {
    if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) continue;
    report('wrong-value', ['headers', name], 'is not a header name', 'use letters and hyphens');
  }
  limitProblems(document, report);
}

/** The schemes with their places in the file. */
function schemesIn(auth: Auth = { type: 'none' }): [AuthScheme, Path][] {
  const path = (i: number): Path => (auth.type === 'all' ? ['auth', 'schemes', i] : ['auth']);
  return schemesOf(auth).map((scheme, i) => [scheme, path(i)]);
}

function keyProblems(
  { header_name, query_name, cookie_name }: AuthScheme & { type: 'api_key' },
  path: Path,
  report: Report,
): void {
  const places = [header_name, query_name, cookie_name].filter((name) => name !== undefined);
  if (places.length === 1) return;
  const advice = 'name one of header_name, query_name and cookie_name';
  report('contradiction', path, 'must say where the key goes', advice);
}

/** Variables usually have such names, and tokens do not. */
const USUAL_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
/** No variable has such a name. */
const RANDOM = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9]{20,}$/;

/** The file may be shared, so that a token in it would not stay secret. */
function secretProblems(scheme: AuthScheme, path: Path, report: Report): void {
  for (const [key, value] of Object.entries(scheme)) {
    const words = typeof value === 'string' && /_env$|^prefix$/.test(key) ? value.split(' ') : [];
    const isSecret = (word: string): boolean =>
      !USUAL_NAME.test(word) && (isSecretValue(word) || RANDOM.test(word));
    if (!words.some(isSecret)) continue;
    const advice = 'put it into a variable of the environment, and write the name of the variable';
    report('written-secret', [...path, key], 'looks like a secret itself', advice);
  }
}

/** Plain HTTP is allowed only on this machine, or in a network that the author calls private. */
export function addressProblems(
  address: string,
  { private_addresses }: HttpTarget,
  path: Path,
  report: Report,
): void {
  if (!URL.canParse(address)) {
    report(
      'wrong-value',
      path,
      'is not an address',
      'write one such as https://harbour.example/api',
    );
    return;
  }
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') {
    report(
      'insecure-address',
      path,
      'contains a password',
      'put it into the environment, see auth',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    report('wrong-value', path, 'has a query or a fragment', 'end it with the path');
  }
  const isLocal = isLoopback(url.hostname) || private_addresses === 'allowed';
  if (url.protocol !== 'https:' && !isLocal) {
    const advice = 'write https://, or allow private_addresses for a target in your own network';
    report('insecure-address', path, 'is not encrypted', advice);
  }
}

function limitProblems({ rate_limits, operations }: ReadableDocument, report: Report): void {
  const names = Object.values(operations).flatMap((list) =>
    list.map((operation) => operation?.name),
  );
  for (const [i, { scope, endpoint, operation }] of (rate_limits?.api_limits ?? []).entries()) {
    const path = ['rate_limits', 'api_limits', i];
    if ((scope === 'endpoint') !== (endpoint !== undefined)) {
      report(
        'contradiction',
        path,
        'scope and endpoint do not agree',
        'name the endpoint it counts',
      );
    }
    if ((scope === 'operation') !== (operation !== undefined)) {
      report(
        'contradiction',
        path,
        'scope and operation do not agree',
        'name the operation it counts',
      );
    } else if (operation !== undefined && !names.includes(operation)) {
      report(
        'wrong-value',
        [...path, 'operation'],
        'is not an operation',
        'name one of this adapter',
      );
    }
  }
}
