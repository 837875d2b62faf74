/** Reads how callers of the API sign in, and the environment variables for it. */

import { isObject, memberOf } from '@callsign/core';
import { snakeCase } from '@callsign/naming';

import { lineOf, pointerOf, type SpecNode, textOf } from '../spec/spec-node.js';
import { SnakeNames } from '../imported/snake-names.js';
import { Findings } from '../spec/import-report.js';
import { SpecReader } from '../spec/spec-reader.js';

/** More schemes in one requirement are not read. */
const MAX_SCHEMES = 10;

/** As in the file, without defaults. */
type WrittenAuth = Readonly<Record<string, unknown>>;

const NO_SIGN_IN: WrittenAuth = { type: 'none' };
const MAX_PATHS = 2000;

/**
 * The first requirement of the document that an adapter supports. Its schemes belong together. `adapter` is part of the
 * variable names.
 */
export function readAuth(reader: SpecReader, adapter: string): WrittenAuth {
  const { root, findings } = reader;
  const schemes = new Map([
    ...reader.entries(reader.at(root, 'securityDefinitions')),
    ...reader.entries(reader.at(root, 'components', 'securitySchemes')),
  ]);
  const wanted = requirementsIn(reader).filter((names) => names.some((name) => schemes.has(name)));
  const order = wanted.length > 0 ? wanted : Array.from(schemes.keys(), (name) => [name]);
  const supported = (name: string): boolean => isSupported(schemes.get(name));
  const chosen =
    order.find((names) => names.every(supported)) ?? order.find((names) => names.some(supported));
  const unsupported = (chosen ?? order.flat()).filter((name) => !supported(name));
  for (const name of new Set(unsupported)) {
    const message = `Sign-in with "${name.slice(0, 80)}" is not supported; see auth.`;
    const scheme = schemes.get(name);
    findings.note('left-out', scheme ? pointerOf(scheme) : '#/security', message);
  }
  // The prefix keeps a document from choosing a variable of other programs, such as
  // AWS_SECRET_ACCESS_KEY.
  const prefix = `CALLSIGN_${snakeCase(adapter).toUpperCase()}`;
  if (!chosen) return schemes.size === 0 ? authOfParameter(reader, prefix) : NO_SIGN_IN;
  const names = chosen.filter(supported);
  const words = chosen.join(' + ');
  const pointer = pointerOf(schemes.get(names[0]!)!);
  const others = order.filter((each) => each !== chosen).map((each) => each.join(' + '));
  if (wanted.length === 0) {
    const message = `No operation says how to sign in; "${words}" was chosen.`;
    findings.note('guess', pointer, message);
  } else if (others.length > 0) {
    const message = `There are other ways to sign in (${others.join(', ').slice(0, 200)}); "${words}" was chosen.`;
    findings.note('guess', pointer, message);
  }
  if (names.length === 1) return authOf(schemes.get(names[0]!)!, prefix, '', reader)!;
  const own = new SnakeNames();
  const parts = names.map((name) => {
    const word = own.take(name).toUpperCase();
    return authOf(schemes.get(name)!, prefix, word, reader)!;
  });
  return { type: 'all', schemes: parts };
}

/**
 * Requirements of the whole document first, then of its operations. Each once, in the order of the document. The schemes
 * of one requirement belong together.
 */
function requirementsIn(reader: SpecReader): string[][] {
  const requirements = [reader.root, ...partsOfPaths(reader)].flatMap((node) => {
    const security = isObject(node.value) ? memberOf(node.value, 'security') : undefined;
    return Array.isArray(security) ? (security as unknown[]) : [];
  });
  const all = requirements.filter(isObject).map((each) => Object.keys(each).slice(0, MAX_SCHEMES));
  return [...new Map(all.map((names) => [names.toSorted().join(' '), names])).values()];
}

/** The paths, and everything in them. */
function partsOfPaths(reader: SpecReader): SpecNode[] {
  const paths = reader.entries(reader.at(reader.root, 'paths')).slice(0, MAX_PATHS);
  return paths.flatMap(([, item]) => [item, ...reader.entries(item).map(([, node]) => node)]);
}

/** Some documents describe sign-in only as a parameter, which is no parameter of an operation. */
function authOfParameter(reader: SpecReader, prefix: string): WrittenAuth {
  const header = partsOfPaths(reader)
    .flatMap((node) => reader.elements(reader.at(node, 'parameters')))
    .find(({ value }) => {
      const isHeader = memberOf(value, 'in') === 'header';
      return isHeader && String(memberOf(value, 'name')).toLowerCase() === 'authorization';
    });
  if (!header) return NO_SIGN_IN;
  const key_env = `${prefix}_AUTHORIZATION`;
  const message = `The document names no way to sign in, but a header "Authorization". Put the whole header into ${key_env}, with its first word, such as Bearer.`;
  reader.findings.note('guess', pointerOf(header), message);
  return { type: 'api_key', key_env, header_name: 'Authorization' };
}

function isSupported(scheme: SpecNode | undefined): boolean {
  // Its findings do not count: the scheme may not be chosen.
  const quiet = new SpecReader(undefined, new Findings(), { url: '', documents: new Map() });
  return scheme !== undefined && authOf(scheme, '', '', quiet) !== undefined;
}

/** `word` is part of the variable names, if there are several schemes. */
function authOf(
  scheme: SpecNode,
  prefix: string,
  word: string,
  reader: SpecReader,
): WrittenAuth | undefined {
  const type = textOf(scheme, 'type');
  const kind = textOf(scheme, 'scheme')?.toLowerCase();
  const variable = (usual: string): string => [prefix, word, usual].filter(Boolean).join('_');
  const only = (usual: string): string => (word === '' ? variable(usual) : variable(''));
  if (type === 'basic' || (type === 'http' && kind === 'basic')) {
    return { type: 'basic', username_env: variable('USER'), password_env: variable('PASSWORD') };
  }
  if (type === 'http' && kind === 'bearer') return bearer(only('TOKEN'));
  if (type === 'apiKey') return apiKey(scheme, only('KEY'), reader);
  if (type === 'oauth2') return oauth(scheme, variable, only('TOKEN'), reader);
  if (type === 'openIdConnect') {
    note(reader, scheme);
    return bearer(only('TOKEN'));
  }
  return undefined;
}

function apiKey(scheme: SpecNode, key_env: string, reader: SpecReader): WrittenAuth | undefined {
  const name = textOf(scheme, 'name');
  if (name === undefined || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return undefined;
  const key = { type: 'api_key', key_env };
  switch (textOf(scheme, 'in')) {
    case 'header':
      if (name.toLowerCase() === 'authorization') noteWholeHeader(scheme, key_env, reader);
      return { ...key, header_name: name };
    case 'query':
      return { ...key, query_name: name };
    case 'cookie':
      return { ...key, cookie_name: name };
    default:
      return undefined;
  }
}

/** A key in this header often has a word before it, which only the text of the document says: `SSWS {API Token}`. */
function noteWholeHeader(scheme: SpecNode, key_env: string, { findings }: SpecReader): void {
  const said = lineOf(textOf(scheme, 'description'), 200);
  const words = said === undefined ? '' : ` The document says: "${said}"`;
  const message = `Put the whole header "Authorization" into ${key_env}, with its first word if the API wants one, such as Bearer.${words}`;
  findings.note('guess', pointerOf(scheme), message);
}

/** A program's own credentials if possible, else a token that a person fetched. */
function oauth(
  scheme: SpecNode,
  variable: (usual: string) => string,
  token_env: string,
  reader: SpecReader,
): WrittenAuth {
  const modern = reader.at(scheme, 'flows', 'clientCredentials');
  const old = textOf(scheme, 'flow') === 'application' ? scheme : undefined;
  const flow = isObject(modern.value) ? modern : old;
  const token_url = flow && textOf(flow, 'tokenUrl');
  if (!flow || token_url === undefined || !/^https:\/\/[^\s?#@]+$/.test(token_url)) {
    note(reader, scheme);
    return bearer(token_env);
  }
  const offered = memberOf(flow.value, 'scopes');
  const scopes = isObject(offered) ? Object.keys(offered).filter((scope) => scope !== '') : [];
  if (scopes.length > 0) {
    const message = 'All scopes are requested; keep only those that you need in auth.scopes.';
    reader.findings.note('guess', pointerOf(flow), message);
  }
  return {
    type: 'oauth2',
    token_url,
    client_id_env: variable('CLIENT_ID'),
    client_secret_env: variable('CLIENT_SECRET'),
    scopes,
  };
}

function note({ findings }: SpecReader, scheme: SpecNode): void {
  const message = 'A person has to sign in and put the token into the environment.';
  findings.note('guess', pointerOf(scheme), message);
}

function bearer(token_env: string): WrittenAuth {
  return { type: 'bearer', token_env };
}
