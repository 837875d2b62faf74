/** Reads the address of the API: the first server of the document, if it may be called. */

import { memberOf } from '@callsign/core';
import { isLoopback } from '@callsign/outbound';

import { childOf, pointerOf, type SpecNode, textOf, wordsAt } from '../spec/spec-node.js';
import type { SpecReader } from '../spec/spec-reader.js';

/** The address if the document has none. It can never be reached. */
const NOWHERE = 'https://api.invalid';
const MAX_LENGTH = 2000;

/**
 * The address without a trailing slash, query or password. It is https, unless it is this machine.
 */
export function readBaseUrl(reader: SpecReader, documentUrl: string): string {
  const { root, findings } = reader;
  const isSwagger = textOf(root, 'swagger') !== undefined;
  const { written, node } = isSwagger ? swaggerServer(root, documentUrl) : firstServer(reader);
  const pointer = pointerOf(node);
  const base = URL.canParse(documentUrl) ? documentUrl : undefined;
  if (written === undefined || written.length > MAX_LENGTH || !URL.canParse(written, base)) {
    const message = 'The document has no address of the API; set target.base_url.';
    findings.note('guess', pointer, message);
    return NOWHERE;
  }
  const url = new URL(written, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    findings.note('guess', pointer, `${url.protocol} is not HTTP; set target.base_url.`);
    return NOWHERE;
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    url.protocol = 'https:';
    findings.note('guess', pointer, 'The address used http; it was changed to https.');
  }
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/+$/, '');
}

function firstServer(reader: SpecReader): { written: string | undefined; node: SpecNode } {
  const servers = reader.elements(reader.at(reader.root, 'servers'));
  const [server, ...others] = servers;
  if (!server) return { written: undefined, node: childOf(reader.root, 'servers') };
  if (others.length > 0) {
    const message = 'The document names several servers; the first was used.';
    reader.findings.note('guess', pointerOf(childOf(reader.root, 'servers')), message);
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

function swaggerServer(
  root: SpecNode,
  documentUrl: string,
): { written: string | undefined; node: SpecNode } {
  const schemes = wordsAt(root, 'schemes');
  const scheme = schemes.includes('https') || schemes.length === 0 ? 'https' : schemes[0]!;
  const host = textOf(root, 'host') ?? (URL.canParse(documentUrl) ? new URL(documentUrl).host : '');
  const path = textOf(root, 'basePath') ?? '';
  const node = childOf(root, 'host');
  if (host === '') return { written: undefined, node };
  return { written: `${scheme}://${host}${path.startsWith('/') ? '' : '/'}${path}`, node };
}
