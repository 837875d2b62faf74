/** Reads the tools of the server under test, and calls them. Nothing in an answer is trusted. */

import { type Endpoint, ENDPOINTS } from '@callsign/effects';

/** The part of an MCP client that the check needs. */
export interface ToolClient {
  listTools(): Promise<readonly ListedTool[]>;
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** A tool as the server lists it. Only the members that rules are about. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

type NameForm = 'scoped' | 'bare' | 'legacy';

/** A tool whose name follows the protocol. `legacy` names are the old ones, with `mcp_aql`. */
export interface EndpointTool extends ListedTool {
  readonly endpoint: Endpoint;
  readonly form: NameForm;
  /** The part before `_mcpaql_`. */
  readonly adapter: string | undefined;
}

/** An envelope that has not been checked. */
export interface Answer {
  readonly success?: unknown;
  readonly data?: unknown;
  readonly error?: {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly details?: unknown;
  };
  readonly [member: string]: unknown;
}

/** `read` is `undefined` if there is no READ tool, without which most rules are skipped. */
export interface CheckedServer {
  readonly tools: readonly EndpointTool[];
  readonly read: EndpointTool | undefined;
  ask(tool: EndpointTool, args: Readonly<Record<string, unknown>>): Promise<Answer>;
}

const ENDPOINT = `(${ENDPOINTS.join('|')})`;
const FORMS: readonly (readonly [NameForm, RegExp])[] = [
  ['scoped', new RegExp(`^(.+)_mcpaql_${ENDPOINT}(?:_[0-9a-z]+)?$`)],
  ['bare', new RegExp(`^()mcpaql_${ENDPOINT}$`)],
  ['legacy', new RegExp(`^(?:(.+)_)?mcp_aql_${ENDPOINT}$`)],
];

export async function readServer(client: ToolClient): Promise<CheckedServer> {
  const tools = (await client.listTools()).flatMap((tool) => endpointToolOf(tool) ?? []);
  return {
    tools,
    read: tools.find(({ endpoint }) => endpoint === 'read'),
    ask: async ({ name }, args) => envelopeIn(await client.callTool(name, args)),
  };
}

function endpointToolOf(tool: ListedTool): EndpointTool | undefined {
  for (const [form, pattern] of FORMS) {
    const [, adapter, endpoint] = pattern.exec(tool.name) ?? [];
    if (endpoint === undefined) continue;
    return { ...tool, form, endpoint: endpoint as Endpoint, adapter: adapter || undefined };
  }
  return undefined;
}

function envelopeIn(result: unknown): Answer {
  const { content } = (result ?? {}) as {
    readonly content?: readonly { readonly text?: unknown }[];
  };
  try {
    const value: unknown = JSON.parse(String(content?.[0]?.text));
    return typeof value === 'object' && value !== null ? (value as Answer) : {};
  } catch {
    return {};
  }
}
