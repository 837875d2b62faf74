/** Every tool and the sandbox, compared with Lightdash's own API document. */

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

import { describe, expect, it, onTestFinished } from 'vitest';

import { JAFFLE_SHOP, SANDBOX_TOKEN } from '../sandbox/index.js';
import {
  differences,
  FACTS,
  routeNameOf,
  SAMPLE_UUID,
  sampleOf,
  type ApiType,
} from '../testing/api-facts.js';
import { clientOf, stageOf, startSandbox, type Stage } from '../testing/stage.js';

/** The ids that calls name. */
interface Known {
  readonly projectUuid: string;
  readonly spaceUuid: string;
  readonly chartUuid: string;
  readonly userUuid: string;
  readonly groupUuid: string;
  readonly exploreId: string;
  readonly fieldId: string;
  readonly chart: object;
  readonly dashboard: object;
  readonly url: string;
}

type Call = readonly [tool: string, args: Record<string, unknown>];

/** Calls of every tool. What destroys comes last. */
function callsWith(known: Known): Call[] {
  const { projectUuid, spaceUuid, chartUuid, userUuid, groupUuid, exploreId, fieldId } = known;
  const project = { projectUuid };
  const explore = { ...project, exploreId };
  const space = { ...project, spaceUuid };
  const membership = { groupUuid, userUuid };
  return [
    ['list_projects', {}],
    ['get_project', project],
    ['list_charts', project],
    ['list_dashboards', project],
    ['list_spaces', project],
    ['get_space', space],
    ['list_organization_members', { searchQuery: 'e' }],
    ['get_member', { userUuid }],
    ['list_groups', { searchQuery: 'e' }],
    ['get_group', { groupUuid }],
    ['list_group_members', { groupUuid }],
    ['search_content', { search: 'e', projectUuids: [projectUuid], contentTypes: ['chart'] }],
    ['search_content', { search: 'e' }],
    ['list_explores', project],
    ['get_explore', explore],
    ['list_dimensions', explore],
    ['list_metrics', { ...project, searchQuery: 'e' }],
    ['compile_query', { ...explore, dimensions: [fieldId] }],
    [
      'run_query',
      { ...explore, dimensions: [fieldId], sorts: [{ fieldId, descending: true }], limit: 2 },
    ],
    ['get_chart_results', { ...project, chartUuid, limit: 2 }],
    ['get_field_lineage', { ...explore, fieldId }],
    ['search_field_values', { ...explore, fieldId, search: 'e' }],
    ['list_tags', project],
    ['list_schedulers', { ...project, searchQuery: 'e' }],
    ['validate_project', project],
    ['get_validation_results', project],
    ['list_charts_as_code', { ...project, slugs: ['orders-by-status'] }],
    ['list_dashboards_as_code', project],
    ['resolve_url', { url: known.url }],
    ['upsert_chart_as_code', { ...project, slug: 'new', chart: known.chart }],
    ['upsert_dashboard_as_code', { ...project, slug: 'new', dashboard: known.dashboard }],
    ['create_space', { ...project, name: 'Night', parentSpaceUuid: spaceUuid }],
    ['grant_user_space_access', { ...space, userUuid, spaceRole: 'viewer' }],
    ['revoke_user_space_access', { ...space, userUuid }],
    ['grant_group_space_access', { ...space, groupUuid, spaceRole: 'viewer' }],
    ['revoke_group_space_access', { ...space, groupUuid }],
    ['create_group', { name: 'Night' }],
    ['update_group', { groupUuid, name: 'Day' }],
    ['add_user_to_group', membership],
    ['remove_user_from_group', membership],
    ['run_sql', { ...project, sql: 'select orders_status from orders', limit: 2 }],
    ['delete_group', { groupUuid }],
    ['delete_member', { userUuid }],
  ];
}

/** After it writes a chart or a dashboard as code, the sandbox does not describe it again. */
const LEFT_OUT = /^results\.(?:charts|dashboards)\[\]\.data\.\w+: missing$/;

/** An entry of a list. */
interface Entry {
  readonly uuid: string;
}

const shortName = (name: string): string => name.replace('lightdash_tools__', '');

interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly body: unknown;
  readonly answer: { readonly status: string; readonly results?: unknown };
}

/** A server in front of Lightdash that notes what passes. */
async function recorderOf(target: string): Promise<{ url: string; exchanges: Exchange[] }> {
  const exchanges: Exchange[] = [];
  const url = await listen(async (request) => {
    const { method = '', headers } = request;
    const body = await textOf(request);
    const answer = await fetch(new URL(request.url!, target), {
      method,
      headers: { authorization: headers.authorization!, 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    });
    const text = await answer.text();
    exchanges.push({
      method,
      url: new URL(request.url!, target),
      body: body === '' ? undefined : JSON.parse(body),
      answer: JSON.parse(text) as Exchange['answer'],
    });
    return text;
  });
  return { url, exchanges };
}

/** A Lightdash that has nothing but the document: it answers with samples of its types. */
function documentServer(): Promise<string> {
  return listen((request) => {
    const name = routeNameOf(request.method!, new URL(request.url!, 'http://x').pathname);
    if (name === undefined) throw new Error(`not in the document: ${request.url}`);
    const { results = 'null' } = FACTS.routes[name]!;
    return JSON.stringify({ status: 'ok', results: sampleOf(results) });
  });
}

async function listen(
  answer: (request: IncomingMessage) => string | Promise<string>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    try {
      response.end(await answer(request));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** How a request and its answer differ from the document. */
function differencesOf({ method, url, body, answer }: Exchange): string[] {
  const name = routeNameOf(method, url.pathname);
  if (name === undefined) return [`${method} ${url.pathname}: not in the document`];
  const { isDeprecated, query = {}, body: bodyType, results } = FACTS.routes[name]!;
  const fields = Object.fromEntries(
    [...new Set(url.searchParams.keys())].map((key) => {
      const type = query[key] ?? query[`${key}?`];
      return [key, readQuery(url.searchParams.getAll(key), type)];
    }),
  );
  return [
    ...(isDeprecated ? ['deprecated'] : []),
    ...differences({ fields: query }, fields, 'query'),
    ...(bodyType ? differences(bodyType, body, 'body') : body === undefined ? [] : ['a body']),
    ...(answer.status === 'ok' ? [] : [`status ${answer.status}`]),
    ...(results ? differences(results, answer.results, 'results') : []).filter(
      (difference) => !LEFT_OUT.test(difference),
    ),
  ].map((difference) => `${name}: ${difference}`);
}

/** Query parameters as the document's types: they are sent as text. */
function readQuery(values: readonly string[], type: ApiType | undefined): unknown {
  if (typeof type === 'object' && 'list' in type) return values;
  const [value = ''] = values;
  if (type === 'number') return Number(value);
  return type === 'boolean' ? value === 'true' : value;
}

async function toolsOf({ mcp }: Stage) {
  return (await mcp.listTools()).tools.map((tool) => ({ ...tool, short: shortName(tool.name) }));
}

describe('Lightdash’s own document', () => {
  it('is that of the version that the sandbox has', async () => {
    const { headers } = await fetch((await startSandbox()).url);
    expect(headers.get('lightdash-version')).toBe(FACTS.lightdash);
  });

  it('knows every request of every tool, and every answer of the sandbox (B3)', async () => {
    const sandbox = await startSandbox();
    const { url, exchanges } = await recorderOf(sandbox.url);
    const client = clientOf(sandbox, {}, { LIGHTDASH_URL: url });
    const stage = await stageOf(client, { safetyMode: 'write-destructive' });
    const project = { projectUuid: JAFFLE_SHOP };
    const first = async (tool: string, things: string): Promise<Entry> =>
      (await stage.call(tool, project)).data[things][0];
    const { uuid: spaceUuid } = await first('list_spaces', 'spaces');
    const { uuid: chartUuid } = await first('list_charts', 'charts');
    const known: Known = {
      ...project,
      spaceUuid,
      chartUuid,
      userUuid: 'e0dd2003-c291-4e14-b977-7a03b7edc842',
      groupUuid: '9d615ede-5758-4954-9fb9-2a07fc415ba5',
      exploreId: 'orders',
      fieldId: 'orders_status',
      chart: await first('list_charts_as_code', 'charts'),
      dashboard: await first('list_dashboards_as_code', 'dashboards'),
      url: `${url}/projects/${JAFFLE_SHOP}`,
    };
    const calls = callsWith(known);
    const tools = (await toolsOf(stage)).map(({ short }) => short);
    expect([...new Set(calls.map(([tool]) => tool))].toSorted()).toEqual(tools.toSorted());
    const wrong: string[] = [];
    for (const [tool, args] of calls) {
      exchanges.length = 0;
      const { isError, text } = await stage.call(tool, args);
      if (isError) wrong.push(`${tool}: ${text}`);
      if (exchanges.length === 0) wrong.push(`${tool}: no request`);
      wrong.push(...new Set(exchanges.flatMap(differencesOf).map((each) => `${tool}: ${each}`)));
    }
    expect(wrong).toEqual(['resolve_url: no request']);
  });

  it('has every field that a tool returns (B3)', async () => {
    const url = await documentServer();
    const env = { LIGHTDASH_URL: url, LIGHTDASH_API_KEY: SANDBOX_TOKEN };
    const client = clientOf(await startSandbox(), {}, env);
    const stage = await stageOf(client, { safetyMode: 'write-destructive' });
    const calls = callsWith({
      projectUuid: SAMPLE_UUID,
      spaceUuid: SAMPLE_UUID,
      chartUuid: SAMPLE_UUID,
      userUuid: SAMPLE_UUID,
      groupUuid: SAMPLE_UUID,
      exploreId: 'text',
      fieldId: 'text_text',
      chart: {},
      dashboard: {},
      url: `${url}/projects/${SAMPLE_UUID}`,
    });
    const wrong: string[] = [];
    for (const { short, inputSchema, outputSchema } of await toolsOf(stage)) {
      // It sends no request, and returns one id of several.
      if (short === 'resolve_url') continue;
      const [, args] = calls.find(([tool]) => tool === short)!;
      const { properties = {} } = inputSchema as JsonSchema;
      const fields = properties['fields']?.items?.enum;
      const all = { ...args, ...(fields && { fields }) };
      const { isError, text, data } = await stage.call(short, all);
      const missing = isError ? [text] : absent(outputSchema as JsonSchema, [data]);
      wrong.push(...missing.map((each) => `${short}: ${each}`));
    }
    expect(wrong).toEqual([]);
  });
});

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly enum?: readonly string[];
}

function memberOf(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** The fields of the schema that none of the values has. */
function absent(
  { properties = {}, items }: JsonSchema,
  values: readonly unknown[],
  at = '',
): string[] {
  if (items) return absent(items, values.flat(), `${at}[]`);
  return Object.entries(properties).flatMap(([name, schema]) => {
    const found = values
      .map((value) => memberOf(value, name))
      .filter((value) => value !== undefined);
    return found.length === 0 ? [`${at}.${name}`] : absent(schema, found, `${at}.${name}`);
  });
}
