/** Reads how callers of the API sign in, and the environment variables for it. */

import { isObject, memberOf } from '@callsign/core';
import { snakeCase } from '@callsign/naming';

import { pointerOf, type SpecNode, textOf } from '../spec/spec-node.js';
import type { SpecReader } from '../spec/spec-reader.js';

/** As in the file, without defaults. */
type WrittenAuth = Readonly<Record<string, unknown>>;

/** The first method in the document that an adapter supports. `adapter` is part of the variable names. */
export function readAuth(reader: SpecReader, adapter: string): WrittenAuth {
  const { root, findings } = reader;
  const schemes = new Map([
    ...reader.entries(reader.at(root, 'securityDefinitions')),
    ...reader.entries(reader.at(root, 'components', 'securitySchemes')),
  ]);
  const wanted = wantedSchemes(reader).filter((name) => schemes.has(name));
  const order = wanted.length > 0 ? wanted : [...schemes.keys()];
  // The prefix keeps a document from choosing a variable of other programs, such as
  // AWS_SECRET_ACCESS_KEY.
  const prefix = `CALLSIGN_${snakeCase(adapter).toUpperCase()}`;
  for (const name of order) {
    const scheme = schemes.get(name)!;
    const auth = authOf(scheme, prefix, reader);
    if (auth === undefined) continue;
    const others = order.filter((other) => other !== name);
    if (wanted.length === 0) {
      const message = `No operation says how to sign in; "${name}" was chosen.`;
      findings.note('guess', pointerOf(scheme), message);
    } else if (others.length > 0) {
      const message = `There are other ways to sign in (${others.join(', ').slice(0, 200)}); "${name}" was chosen.`;
      findings.note('guess', pointerOf(scheme), message);
    }
    return auth;
  }
  for (const name of order) {
    const message = `Sign-in with "${name.slice(0, 80)}" is not supported; see auth.`;
    findings.note('left-out', pointerOf(schemes.get(name)!), message);
  }
  return { type: 'none' };
}

/** Methods of the whole document first, then of its operations. Each once, in the order of the document. */
function wantedSchemes(reader: SpecReader): string[] {
  const { root } = reader;
  const paths = reader.entries(reader.at(root, 'paths')).slice(0, 2000);
  const operations = paths.flatMap(([, item]) => reader.entries(item).map(([, node]) => node));
  const requirements = [root, ...operations].flatMap((node) => {
    const security = isObject(node.value) ? memberOf(node.value, 'security') : undefined;
    return Array.isArray(security) ? (security as unknown[]) : [];
  });
  return [...new Set(requirements.filter(isObject).flatMap((each) => Object.keys(each)))];
}

function authOf(scheme: SpecNode, prefix: string, reader: SpecReader): WrittenAuth | undefined {
  const type = textOf(scheme, 'type');
  const kind = textOf(scheme, 'scheme')?.toLowerCase();
  if (type === 'basic' || (type === 'http' && kind === 'basic')) {
    return { type: 'basic', username_env: `${prefix}_USER`, password_env: `${prefix}_PASSWORD` };
  }
  if (type === 'http' && kind === 'bearer') return bearer(prefix);
  if (type === 'apiKey') return apiKey(scheme, prefix);
  if (type === 'oauth2') return oauth(scheme, prefix, reader);
  if (type === 'openIdConnect') {
    note(reader, scheme);
    return bearer(prefix);
  }
  return undefined;
}

function apiKey(scheme: SpecNode, prefix: string): WrittenAuth | undefined {
  const name = textOf(scheme, 'name');
  if (name === undefined || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return undefined;
  const key_env = `${prefix}_KEY`;
  const place = textOf(scheme, 'in');
  if (place === 'header') return { type: 'api_key', key_env, header_name: name };
  return place === 'query' ? { type: 'api_key', key_env, query_name: name } : undefined;
}

/** A program's own credentials if possible, else a token that a person fetched. */
function oauth(scheme: SpecNode, prefix: string, reader: SpecReader): WrittenAuth {
  const modern = reader.at(scheme, 'flows', 'clientCredentials');
  const old = textOf(scheme, 'flow') === 'application' ? scheme : undefined;
  const flow = isObject(modern.value) ? modern : old;
  const token_url = flow && textOf(flow, 'tokenUrl');
  if (!flow || token_url === undefined || !/^https:\/\/[^\s?#@]+$/.test(token_url)) {
    note(reader, scheme);
    return bearer(prefix);
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
    client_id_env: `${prefix}_CLIENT_ID`,
    client_secret_env: `${prefix}_CLIENT_SECRET`,
    scopes,
  };
}

function note({ findings }: SpecReader, scheme: SpecNode): void {
  const message = 'A person has to sign in and put the token into the environment.';
  findings.note('guess', pointerOf(scheme), message);
}

function bearer(prefix: string): WrittenAuth {
  return { type: 'bearer', token_env: `${prefix}_TOKEN` };
}
