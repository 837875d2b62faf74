/** Reads the addresses of the API: the first server of the document, and those of single operations. */

import { isObject, memberOf } from '@callsign/core';
import { isLoopback } from '@callsign/outbound';

import { childOf, pointerOf, type SpecNode, textOf, wordsAt } from '../spec/spec-node.js';
import type { SpecReader } from '../spec/spec-reader.js';

/** The origin if the document has none. It can never be reached. */
const NOWHERE = 'https://api.invalid';
const MAX_LENGTH = 2000;
const MAX_PATHS = 2000;

/** What decides about addresses besides the document. */
export interface KnownAddresses {
  /** The address of the document. */
  readonly document?: string | undefined;
  /** The address of the API that a person gave. */
  readonly given?: string | undefined;
}

interface Server {
  readonly written: string | undefined;
  readonly node: SpecNode;
}

/**
 * The address without a trailing slash, query or password. It is https, unless it is this machine. A given address wins;
 * if it has no path, that of a relative server is added.
 */
export function readBaseUrl(reader: SpecReader, { document = '', given }: KnownAddresses): string {
  const { root } = reader;
  const isSwagger = textOf(root, 'swagger') !== undefined;
  const server = isSwagger ? swaggerServer(root, document) : firstServer(reader, holderOf(reader));
  const { written } = server;
  if (given === undefined) return addressOf(server, document, reader) ?? NOWHERE;
  const isRelative = written !== undefined && !URL.canParse(written);
  const hasPath = !URL.canParse(given) || new URL(given).pathname !== '/';
  if (!isRelative || hasPath || !URL.canParse(written, given)) return given;
  return plainAddress(new URL(written, given));
}

/** The server of a single operation or path, if it has one and it differs from `baseUrl`. */
export function readOwnServer(
  nodes: readonly SpecNode[],
  baseUrl: string,
  reader: SpecReader,
  { document = '' }: KnownAddresses,
): string | undefined {
  const holder = nodes.find((node) => hasServer(node, reader));
  if (!holder) return undefined;
  const from = URL.canParse(document) ? document : baseUrl;
  const address = addressOf(firstServer(reader, holder), from, reader);
  return address === baseUrl ? undefined : address;
}

/** The document, or else the first path or operation with a server. */
function holderOf(reader: SpecReader): SpecNode {
  const { root } = reader;
  if (hasServer(root, reader)) return root;
  const items = reader.entries(reader.at(root, 'paths')).slice(0, MAX_PATHS);
  const nodes = items.flatMap(([, item]) => [
    item,
    ...reader.entries(item).flatMap(([, node]) => (isObject(node.value) ? [node] : [])),
  ]);
  return nodes.find((node) => hasServer(node, reader)) ?? root;
}

function hasServer(node: SpecNode, reader: SpecReader): boolean {
  return reader.elements(reader.at(node, 'servers')).length > 0;
}

function addressOf(
  { written, node }: Server,
  from: string,
  { findings }: SpecReader,
): string | undefined {
  const pointer = pointerOf(node);
  const base = URL.canParse(from) ? from : NOWHERE;
  if (written === undefined || written.length > MAX_LENGTH || !URL.canParse(written, base)) {
    const message = 'The document has no address of the API; set target.base_url.';
    findings.note('guess', pointer, message);
    return undefined;
  }
  const url = new URL(written, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    findings.note('guess', pointer, `${url.protocol} is not HTTP; set target.base_url.`);
    return undefined;
  }
  if (url.origin === NOWHERE) {
    const message =
      'The document has only the path of the API; write its host into target.base_url.';
    findings.note('guess', pointer, message);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    url.protocol = 'https:';
    findings.note('guess', pointer, 'The address used http; it was changed to https.');
  }
  return plainAddress(url);
}

function plainAddress(url: URL): string {
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/+$/, '');
}

/** The first server of the document, a path or an operation, with the defaults of its variables. */
function firstServer(reader: SpecReader, holder: SpecNode): Server {
  const servers = reader.elements(reader.at(holder, 'servers'));
  const [server, ...others] = servers;
  if (!server) return { written: undefined, node: childOf(holder, 'servers') };
  if (others.length > 0) {
    const message = 'The document names several servers; the first was used.';
    reader.findings.note('guess', pointerOf(childOf(holder, 'servers')), message);
  }
  const variables = reader.at(server, 'variables');
  let isOpen = false;
  const written = textOf(server, 'url')
    ?.slice(0, MAX_LENGTH)
    .replace(/\{([^{}]*)\}/g, (whole, name: string) => {
      const standard = memberOf(reader.at(variables, name).value, 'default');
      if (standard === undefined) {
        const message = `The variable "${name}" of the server has no default.`;
        reader.findings.note('guess', pointerOf(server), message);
        isOpen = true;
        return whole;
      }
      const message = `The variable "${name}" of the server was set to its default "${String(standard)}".`;
      reader.findings.note('guess', pointerOf(server), message);
      return String(standard);
    });
  return { written: isOpen ? undefined : written, node: server };
}

function swaggerServer(root: SpecNode, documentUrl: string): Server {
  const schemes = wordsAt(root, 'schemes');
  const scheme = schemes.includes('https') || schemes.length === 0 ? 'https' : schemes[0]!;
  const host = textOf(root, 'host') ?? (URL.canParse(documentUrl) ? new URL(documentUrl).host : '');
  const base = textOf(root, 'basePath');
  const path = base === undefined || base.startsWith('/') ? (base ?? '') : `/${base}`;
  const node = childOf(root, base === undefined || host !== '' ? 'host' : 'basePath');
  if (host !== '') return { written: `${scheme}://${host}${path}`, node };
  return { written: base === undefined ? undefined : path, node };
}
