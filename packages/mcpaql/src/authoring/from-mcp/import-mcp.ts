/** Turns the tool list of an MCP server into the text of an adapter. Reads and writes no files. */

import { isObject, memberOf } from '@callsign/core';
import { classify, type Endpoint, judge, type Trust } from '@callsign/effects';
import { displayName as displayNameOf } from '@callsign/naming';

import { assumedDanger, type DangerLevel, isAtLeast } from '../../adapter/danger.js';
import { requestParams } from '../../adapter/request-params.js';
import { RESERVED_OPERATIONS } from '../../adapter/reserved-operations.js';
import { finishImport, type FinishOptions } from '../imported/finish-import.js';
import type { SourceOperation } from '../imported/merge-import.js';
import { SnakeNames, snakeName } from '../imported/snake-names.js';
import { Findings, type ImportedOperation, type ImportResult } from '../spec/import-report.js';
import { lineOf } from '../spec/spec-node.js';
import { readToolParams } from './tool-params.js';

/** What an import needs to know that is not in the tool list. */
export interface McpImportOptions extends FinishOptions {
  /** The server's key in the configuration. */
  readonly server: string;
  /** The adapter's name. Default: derived from the server's key. */
  readonly name?: string;
  readonly displayName?: string;
  /** Whether hints that lower the danger are believed. Default: they are. */
  readonly trust?: Trust;
  /** The operator's decisions on the endpoints of tools. */
  readonly endpoints?: ReadonlyMap<string, Endpoint>;
}

const DESCRIPTION_LENGTH = 300;
const MAX_TOOLS = 2000;

/** `tools` are definitions from `tools/list`. Invalid ones are reported. */
export function adapterFromMcp(tools: readonly unknown[], options: McpImportOptions): ImportResult {
  const { server } = options;
  const findings = new Findings();
  const names = new SnakeNames(RESERVED_OPERATIONS);
  const name = options.name ?? adapterName(server);
  const displayName = displayNameOf(server, options.displayName);
  const read = tools.slice(0, MAX_TOOLS).flatMap((tool, i) => {
    return readTool(tool, `#/tools/${i}`, names, findings, options) ?? [];
  });
  if (tools.length > MAX_TOOLS) {
    const message = `There are more than ${MAX_TOOLS} tools; the others were left out.`;
    findings.note('left-out', `#/tools/${MAX_TOOLS}`, message);
  }
  const document = {
    name,
    type: 'adapter',
    version: '0.1.0',
    description: `The tools of ${displayName}`,
    display_name: displayName,
    target: { transport: 'mcp', server },
    // The lowest level that can be called at all: a person must review it first.
    trust: { level: 'generated' },
  };
  const operations = read.map(({ source }) => source);
  const imported = read.map(({ report }) => report);
  return finishImport(
    { document, operations },
    bodyOf(displayName.replace(/[<>]/g, '')),
    imported,
    findings,
    options,
  );
}

interface ReadTool {
  readonly source: SourceOperation;
  readonly report: ImportedOperation;
}

function readTool(
  tool: unknown,
  pointer: string,
  names: SnakeNames,
  findings: Findings,
  { trust = 'full', endpoints }: McpImportOptions,
): ReadTool | undefined {
  const called = memberOf(tool, 'name');
  if (typeof called !== 'string' || !/^\S{1,500}$/.test(called)) {
    const message = 'This tool was left out: it has no name, or a name with spaces.';
    findings.note('left-out', pointer, message);
    return undefined;
  }
  const annotations = memberOf(tool, 'annotations');
  const said = memberOf(tool, 'description');
  const chosen = endpoints?.get(called);
  const definition = {
    name: called,
    description: said,
    inputSchema: memberOf(tool, 'inputSchema'),
  };
  const classified =
    chosen === undefined
      ? classify({ ...definition, annotations, trust })
      : { endpoint: chosen, confidence: 'high' as const, because: 'you said so' };
  const { endpoint, because } = classified;
  const isGuess = classified.confidence !== 'high';
  const name = names.take(called);
  const review = `Classified as ${endpoint}: ${because}. Move it if that is wrong.`;
  if (isGuess) findings.note('guess', pointer, `${name}: ${review}`);
  const params = readToolParams(definition.inputSchema, `${pointer}/inputSchema`, findings);
  const danger = toolDanger(name, endpoint, annotations);
  const isRepeatable =
    endpoint !== 'read' && trust !== 'none' && claims(annotations, 'idempotentHint');
  const description = lineOf(typeof said === 'string' ? said : undefined, DESCRIPTION_LENGTH);
  const source = `tool:${called}`;
  const isRead =
    endpoint === 'read' &&
    // Silence proves nothing: the operator or a claim says so, and no word says otherwise.
    (chosen !== undefined || (trust !== 'none' && claims(annotations, 'readOnlyHint'))) &&
    judge({ name, description, parameters: requestParams(params) }).isUndisputed;
  const document = {
    name,
    maps_to: source,
    ...(description === undefined ? {} : { description }),
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(danger === undefined ? {} : { danger_level: danger }),
    ...(isRepeatable ? { non_idempotent: false } : {}),
    ...(isGuess ? { review } : {}),
    ...(isRead ? {} : { reviewed: false }),
  };
  return {
    source: { source, pointer, endpoint, document },
    report: { name, endpoint, source, because, isGuess },
  };
}

function claims(annotations: unknown, hint: string): boolean {
  return isObject(annotations) && memberOf(annotations, hint) === true;
}

/** The level for the adapter's file; `undefined` if the default is enough. A hint that warns is believed. */
function toolDanger(
  name: string,
  endpoint: Endpoint,
  annotations: unknown,
): DangerLevel | undefined {
  if (endpoint === 'read' || endpoint === 'create') return undefined;
  const assumed = assumedDanger(name, endpoint);
  if (isAtLeast(assumed, 'destructive')) return assumed;
  return claims(annotations, 'destructiveHint') ? 'destructive' : undefined;
}

function adapterName(server: string): string {
  const name = (snakeName(server) ?? '').slice(0, 40).replaceAll('_', '-').replace(/-+$/, '');
  return name.length < 2 ? 'imported-server' : name;
}

function bodyOf(displayName: string): string {
  return `
# ${displayName}

Imported from the tools of an MCP server. Until you have reviewed it, it sends no
credentials, and only operations that provably read can be called. To review it: \`callsign adapter review FILE\`
`;
}
