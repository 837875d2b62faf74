/**
 * Turns an OpenAPI document, 2.0 to 3.2, into the text of an adapter. Reads and writes no files.
 */

import { isObject, memberOf } from '@callsign/core';

import { HTTP_METHODS, type HttpMethod } from '../../adapter/maps-to.js';
import { RESERVED_OPERATIONS } from '../../adapter/reserved-operations.js';
import { finishImport, type FinishOptions } from '../imported/finish-import.js';
import type { SourceOperation } from '../imported/merge-import.js';
import { SnakeNames, snakeName } from '../imported/snake-names.js';
import {
  failedImport,
  Findings,
  type ImportedOperation,
  type ImportResult,
} from '../spec/import-report.js';
import { lineOf, pointerOf, type SpecNode, textOf } from '../spec/spec-node.js';
import { SpecReader } from '../spec/spec-reader.js';
import {
  type FoundOperation,
  type OwnServer,
  type ReadOperation,
  readOperation,
} from './operation-reader.js';
import { parseSpec } from './parse-spec.js';
import { readAuth } from './security-reader.js';
import { type ApiTags, countTags, type Selection, selects } from './selection.js';
import { readBaseUrl, readOwnServer } from './server-reader.js';
import { readTypes } from './type-reader.js';

/** What a user can choose about an import. */
export interface OpenApiOptions extends FinishOptions {
  /** The part of the document to import. Default: all. */
  readonly selection?: Selection;
  /** The adapter's display name. Default: the document's title, unless `name` is given. */
  readonly displayName?: string;
  /** The adapter's name. Default: derived from the document's title. */
  readonly name?: string;
  /** The address of the document, for relative addresses. */
  readonly url?: string;
  /** The address of the API. Default: that of the document. */
  readonly baseUrl?: string;
  /** The texts of other documents, by address; see `fetchReferences`. */
  readonly documents?: ReadonlyMap<string, string>;
}

/** More than any known API has. */
const MAX_OPERATIONS = 20_000;
const OTHER_METHODS: ReadonlySet<string> = new Set(['head', 'options', 'trace', 'query']);

/** Never throws for a bad document: the report says what is wrong. */
export function adapterFromOpenApi(text: string, options: OpenApiOptions = {}): ImportResult {
  const parsed = parseSpec(text);
  if (!parsed.ok) return failedImport(parsed.message);
  const version = versionOf(parsed.value);
  if (version === undefined) {
    return failedImport(
      'This is not an OpenAPI document of version 2.0 or 3.0 to 3.2; check the file.',
    );
  }
  const findings = new Findings();
  const documents = new Map<string, unknown>();
  for (const [url, other] of options.documents ?? []) {
    const read = parseSpec(other);
    if (read.ok) documents.set(url, read.value);
    else findings.note('left-out', `${url}#`, read.message);
  }
  const reader = new SpecReader(parsed.value, findings, { url: options.url ?? '', documents });
  const title = lineOf(textOf(reader.at(reader.root, 'info'), 'title'), 60);
  const name = options.name ?? adapterName(title);

  noteCallsOfApi(reader);
  const addresses = { document: options.url, given: options.baseUrl };
  const baseUrl = readBaseUrl(reader, addresses);
  const ownServer = (nodes: readonly SpecNode[]): string | undefined =>
    readOwnServer(nodes, baseUrl, reader, addresses);
  const { read, others } = operationsIn(reader, options.selection ?? {}, ownServer);
  if (read.length === 0 && others.length > 0) {
    return failedImport(
      `None of the ${others.length} operations was selected; check --tag, --path and --only.`,
    );
  }
  const types = readTypes(
    read.flatMap(({ operation }) => operation.type ?? []),
    reader,
  );
  const document = {
    ...identityOf(
      reader,
      name,
      options.displayName ?? (options.name === undefined ? title : undefined),
    ),
    target: {
      transport: 'http',
      base_url: baseUrl,
    },
    auth: readAuth(reader, name),
    // The lowest level that can be called at all: a person must review it first.
    trust: { level: 'generated' },
    ...(Object.keys(types).length === 0 ? {} : { types }),
  };
  const operations = read.map(({ source, operation }) => sourceOperation(source, operation));
  const imported = read.map(({ source, operation }) => importedOf(source, operation));
  // Without < and >, no title can look like the record that follows it.
  const body = bodyOf((title ?? name).replace(/[<>]/g, ''), version);
  return finishImport({ document, operations, others }, body, imported, findings, options);
}

interface Read {
  readonly source: FoundOperation;
  readonly operation: ReadOperation;
}

/** `others` are in the document, but were not selected. */
function operationsIn(
  reader: SpecReader,
  selection: Selection,
  ownServer: OwnServer,
): { readonly read: Read[]; readonly others: string[] } {
  const names = new SnakeNames(RESERVED_OPERATIONS);
  const all = foundOperations(reader);
  const found = all.filter((operation) => selects(selection, operation));
  const chosen = new Set(found);
  const others = all.filter((operation) => !chosen.has(operation)).map(sourceText);
  for (const { node, method, path } of found.slice(MAX_OPERATIONS)) {
    const message = `${method} ${path.slice(0, 200)} was left out: there are more than ${MAX_OPERATIONS} operations. Import a part: --tag, --path, --only.`;
    reader.findings.note('left-out', pointerOf(node), message);
  }
  const read = found.slice(0, MAX_OPERATIONS).flatMap((source): Read[] => {
    const operation = readOperation(source, reader, names, ownServer);
    return operation ? [{ source, operation }] : [];
  });
  return { read, others };
}

function foundOperations(reader: SpecReader): FoundOperation[] {
  return reader.entries(reader.at(reader.root, 'paths')).flatMap(([path, pathItem]) => {
    const others = [
      ...reader.entries(pathItem).filter(([key]) => OTHER_METHODS.has(key.toLowerCase())),
      ...reader.entries(reader.at(pathItem, 'additionalOperations')),
    ];
    for (const [key, node] of others) {
      const message = `${key.slice(0, 40).toUpperCase()} ${path.slice(0, 200)} was left out: adapters do not support this method.`;
      reader.findings.note('left-out', pointerOf(node), message);
    }
    return HTTP_METHODS.flatMap((method): FoundOperation[] => {
      const node = reader.at(pathItem, method.toLowerCase());
      return isObject(node.value) ? [{ method, path, pathItem, node }] : [];
    });
  });
}

/** An adapter sends calls. It does not receive those that an API sends. */
function noteCallsOfApi(reader: SpecReader): void {
  const webhooks = reader.at(reader.root, 'webhooks');
  const { length } = reader.entries(webhooks);
  if (length === 0) return;
  const message = `Webhooks were left out (${length}): the API sends these calls, and an adapter receives none.`;
  reader.findings.note('left-out', pointerOf(webhooks), message);
}

/** The parts that a person can select. Empty for a text that is not a document. */
export function apiTags(text: string): ApiTags {
  const parsed = parseSpec(text);
  const root = parsed.ok ? parsed.value : undefined;
  const reader = new SpecReader(root, new Findings(), { url: '', documents: new Map() });
  return countTags(foundOperations(reader));
}

function sourceText({ method, path }: { method: HttpMethod; path: string }): string {
  return `${method} ${path}`;
}

function sourceOperation(
  source: FoundOperation,
  { endpoint, document }: ReadOperation,
): SourceOperation {
  const written = document as unknown as Readonly<Record<string, unknown>>;
  return {
    endpoint,
    document: written,
    source: sourceText(source),
    pointer: pointerOf(source.node),
  };
}

function importedOf(
  source: FoundOperation,
  { document, endpoint, because, isGuess }: ReadOperation,
): ImportedOperation {
  return { name: document.name, endpoint, source: sourceText(source), because, isGuess };
}

function identityOf(
  reader: SpecReader,
  name: string,
  title: string | undefined,
): Readonly<Record<string, unknown>> {
  const info = reader.at(reader.root, 'info');
  const said = textOf(info, 'summary') ?? textOf(info, 'description');
  return {
    name,
    type: 'adapter',
    version: semver(memberOf(info.value, 'version')),
    description: lineOf(said, 200) ?? title ?? name,
    ...(title === undefined ? {} : { display_name: title }),
  };
}

/** `2.0`, `3.0`, `3.1` or `3.2`. `undefined` for everything else. */
function versionOf(root: unknown): string | undefined {
  const written = String(memberOf(root, 'openapi') ?? memberOf(root, 'swagger') ?? '');
  return (
    /^(?:2\.0|3\.[012])(?=\.\d+$|$)/.exec(written)?.[0] ?? (written === '2' ? '2.0' : undefined)
  );
}

function adapterName(title: string | undefined): string {
  const name = (snakeName(title ?? '') ?? '').slice(0, 40).replaceAll('_', '-').replace(/-+$/, '');
  return name.length < 2 ? 'imported-api' : name;
}

/** Three numbers, for any number of parts in the API's version. */
function semver(version: unknown): string {
  const [, major, minor = '0', patch = '0'] =
    /^v?(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?(?![\d-])/.exec(String(version ?? '')) ?? [];
  return major === undefined ? '0.1.0' : [major, minor, patch].map(Number).join('.');
}

function bodyOf(title: string, version: string): string {
  return `
# ${title}

Imported from an OpenAPI ${version} document. Until you have reviewed it, it sends no
credentials, and only operations that provably read can be called. To review it: \`callsign adapter review FILE\`
`;
}
