/** Redacts secrets in URLs: users and passwords, and values of query parameters. */

import { isSecretSetting } from '../names/secret-names.js';
import { REDACTED } from './redacted.js';

/** `scheme://user:password@host`. */
const USER = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"'`<>|\\]{1,512}@/gi;
/** `?token=…&sig=…`. A fragment may hold parameters too. */
const PARAMETER = /([?&;#])([\w.~%+-]{1,100})=(?!\[redacted\])([^\s&;#"'`<>|\\]{1,})/g;

export function redactAddresses(text: string): string {
  return text
    .replaceAll(USER, `$1${REDACTED}@`)
    .replaceAll(PARAMETER, (whole, mark: string, name: string) =>
      isSecretSetting(decoded(name)) ? `${mark}${name}=${REDACTED}` : whole,
    );
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
