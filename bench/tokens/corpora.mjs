// The tool lists that are measured: those of an official server, and our largest adapter as if each of its
// operations were a separate tool.
import { readFileSync } from 'node:fs';

import { labelTool } from '@callsign/effects';
import { createAdapterSource } from '@callsign/mcpaql';
import { createCrudeView, createSearchView } from '@callsign/mcpaql/views';
import { adapterFromOpenApi } from '@callsign/mcpaql/authoring';

import { FLEET } from '../../packages/mcpaql/testing-apis/fleet.mjs';

const ROOT = new URL('../../', import.meta.url);
const SERVERS = ['everything', 'filesystem', 'memory', 'sequential-thinking'];

/**
 * @typedef {object} Part one server or adapter
 * @property {string} name
 * @property {object[]} tools one for each operation, as a server lists them
 * @property {import('@callsign/core').Source} crude
 * @property {import('@callsign/core').Source} search
 */

/** @returns {{ title: string, parts: Part[] }[]} */
export function corpora(document) {
  const servers = SERVERS.map(recordedServer);
  return [
    ...servers.map((part) => ({ title: part.name, parts: [part] })),
    { title: 'the four together', parts: servers },
    ...(document === undefined ? [] : [adapterCorpus(document)]),
    adapterCorpus(JSON.stringify(FLEET)),
  ];
}

function recordedServer(name) {
  const { tools } = JSON.parse(readFileSync(new URL(`test/recordings/${name}.json`, ROOT), 'utf8'));
  const operations = operationsOf(name, tools);
  return {
    name,
    tools,
    // Like behind the gateway, where the name already contains the server's key.
    crude: createCrudeView(operations, { name, pattern: 'mcpaql_{endpoint}' }),
    search: createSearchView(operations, { name }),
  };
}

function adapterCorpus(document) {
  const part = adapterPart(document);
  return { title: `${part.crude.adapter.displayName} (adapter)`, parts: [part] };
}

function adapterPart(document) {
  const { resolved: adapter } = adapterFromOpenApi(document);
  const tools = [...adapter.operations.values()].map(flatTool);
  const name = adapter.name;
  return {
    name,
    tools,
    crude: createAdapterSource(adapter),
    search: createSearchView(operationsOf(name, tools), { name }),
  };
}

/** The source of a view. Nothing is called, so no tool needs an implementation. */
export function operationsOf(server, tools) {
  const operations = tools.map((tool) => ({
    name: tool.name,
    ref: { server, tool: tool.name },
    item: { name: tool.name, json: JSON.stringify(tool) },
    hints: labelTool({ ...tool, trust: 'full' }).hints,
  }));
  return { operations: () => operations, route: () => undefined, subscribe: () => () => undefined };
}

function flatTool({ name, description, params }) {
  const required = [...params.values()]
    .filter((param) => param.required)
    .map((param) => param.name);
  const properties = Object.fromEntries(
    [...params.values()].map((param) => [param.name, schemaOf(param)]),
  );
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
  };
}

/** A parameter as JSON Schema, in the form that a server would write. */
function schemaOf({
  type,
  description,
  enum: words,
  format,
  minimum,
  maximum,
  max_length,
  items,
  one_of,
  properties,
}) {
  const schema = {
    type: type === 'union' ? undefined : type === 'file' ? 'object' : type,
    oneOf: one_of?.map(schemaOf),
    properties:
      properties &&
      Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, schemaOf(inner)])),
    description,
    enum: words,
    format,
    minimum,
    maximum,
    maxLength: max_length,
    items: items && schemaOf(items),
  };
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
