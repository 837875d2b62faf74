/**
 * Hides what the operator gave a server as a secret. Every text about a server goes through it: log
 * lines, reasons, errors for callers, and the address.
 */

import { secretArgs, shownUrl, summaryOf } from '@callsign/config';
import { createBase64Redactor, isSecretPart, placeOf, REDACTED } from '@callsign/core/secrets';

import type { ServerConfig } from '../config/server-config.js';

export type Redact = (text: string) => string;

/** Characters. Shorter values, such as `true`, would match too much other text. */
const LEAST = 6;
/** Texts that are too long end with this. */
const CUT = '…';
const SCHEME = /^[A-Za-z][\w-]* (\S+)$/;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Redactors by server: they are needed for every line that it prints. */
const known = new WeakMap<ServerConfig, Redact>();

export function redactorOf(server: ServerConfig): Redact {
  const redact = known.get(server) ?? createRedactor(server);
  known.set(server, redact);
  return redact;
}

function createRedactor(server: ServerConfig): Redact {
  const places = placesOf(server);
  // Longer ones first: one value may be a part of another.
  const parts = longEnough(secretsOf(server).flatMap(partsOf));
  const values = longEnough(parts.flatMap(spellings)).toSorted((a, b) => b.length - a.length);
  const withoutBase64 = createBase64Redactor(parts);
  return (text) => {
    const placed = places.reduce(
      (all, [place, written]) => all.replaceAll(place, () => written),
      text,
    );
    const plain = values.reduce((all, value) => all.replaceAll(value, REDACTED), placed);
    const whole = withoutBase64(plain);
    return whole.includes(CUT) ? withoutBeginnings(whole, values) : whole;
  };
}

/** Hides the beginnings of values that were cut off with the rest of a text. */
function withoutBeginnings(text: string, values: readonly string[]): string {
  const [last = '', ...parts] = text.split(CUT).toReversed();
  const safe = parts.toReversed().map((part) => {
    const lengths = values.map((value) => lengthOfBeginning(part, value));
    const most = Math.max(0, ...lengths);
    return most === 0 ? part : part.slice(0, -most) + REDACTED;
  });
  return [...safe, last].join(CUT);
}

/** How many of its first characters a text ends with; 0 if they are too few to tell anything. */
function lengthOfBeginning(text: string, value: string): number {
  for (let length = value.length - 1; length >= LEAST; length--)
    if (text.endsWith(value.slice(0, length))) return length;
  return 0;
}

/** The values of `env` or `headers`, the values of variables, and secret words of the command or the address. */
function secretsOf(server: ServerConfig): readonly string[] {
  const { transport, written } = server;
  const given = transport === 'stdio' ? server.env : server.headers;
  const words = transport === 'stdio' ? secretArgs(server.args) : addressParts(server.url);
  return [...Object.values(given), ...(written?.variables ?? []), ...words];
}

function longEnough(values: readonly string[]): string[] {
  return [...new Set(values)].filter(({ length }) => length >= LEAST);
}

/** A value with and without a scheme such as Bearer, its lines, and the secrets of an address. */
function partsOf(value: string): string[] {
  const [, credential = value] = SCHEME.exec(value) ?? [];
  return [value, credential, ...value.split(/\r?\n/), ...addressParts(value)];
}

/** As it is, in JSON, and in an address. Base64 is searched for in another way. */
function spellings(part: string): string[] {
  return [part, JSON.stringify(part).slice(1, -1), escaped(part)];
}

/** The password of an address, and the parts of its path that may be keys. */
function addressParts(value: string): string[] {
  if (!ADDRESS.test(value) || !URL.canParse(value)) return [];
  const { pathname, password, searchParams } = new URL(value);
  return [password, ...searchParams.values(), ...pathname.split('/').filter(isSecretPart)];
}

/** As it is in an address. */
function escaped(text: string): string {
  try {
    return encodeURI(text);
  } catch {
    // It has half a surrogate pair.
    return text;
  }
}

/** The address in errors, and how the file writes it: with its variables. */
function placesOf(server: ServerConfig): readonly (readonly [place: string, written: string])[] {
  if (server.transport === 'stdio' || !server.written) return [];
  const { url = server.url } = summaryOf(server.written.entry);
  if (url === server.url) return [];
  return [server.url, placeOf(new URL(server.url))].map((place) => [place, shownUrl(url)]);
}
