/** Finds the profile of a client by the name that it announces in `initialize`. */

import type { ClientProfile } from './client-profile.js';
import { CANONICAL, profileById, type ProfileId } from './client-profiles.js';

/** A client's `clientInfo`. */
export interface AnnouncedClient {
  readonly name?: string;
  readonly version?: string;
}

/** Clients with the same profile. */
interface ClientRule {
  /** The first words of the announced name, as `foldName` writes them. */
  readonly begins: string;
  readonly profile: ProfileId;
  /** Matches the whole name only, because other names begin with it. */
  readonly whole?: true;
  /** Only for versions below this one. A client that announces no version counts as the newest. */
  readonly below?: string;
}

/** Clients that use one model API, or whose own rules are known. The first match counts. */
const KNOWN_CLIENTS: readonly ClientRule[] = [
  { begins: 'claude-code', profile: 'claude-code' },
  { begins: 'claude', profile: 'claude-desktop' },
  { begins: 'anthropic', profile: 'claude-desktop' },
  { begins: 'chatgpt', profile: 'openai' },
  { begins: 'openai', profile: 'openai' },
  { begins: 'codex', profile: 'openai', below: '0.116.0' },
  // Until it sent namespaces, the client's prefix counted as in "portable" (see CODEX).
  { begins: 'codex', profile: 'portable', below: '0.166.0' },
  { begins: 'codex', profile: 'codex' },
  { begins: 'cursor', profile: 'cursor' },
  { begins: 'visual-studio-code', profile: 'vscode' },
  { begins: 'vscode', profile: 'vscode' },
  { begins: 'windsurf', profile: 'windsurf' },
  { begins: 'gemini', profile: 'gemini' },
  { begins: 'antigravity', profile: 'gemini' },
  { begins: 'q-dev-cli', profile: 'bedrock' },
  { begins: 'kiro', profile: 'bedrock' },
  // The SDKs for Python, Rust and Java when a framework sets nothing.
  { begins: 'mcp', profile: 'portable', whole: true },
  { begins: 'rmcp', profile: 'portable', whole: true },
  { begins: 'java-sdk-mcp-client', profile: 'portable' },
  // The client of the official tutorial. LlamaIndex for TypeScript and Koog kept its name.
  { begins: 'mcp-client-cli', profile: 'portable' },
  // OpenAI Agents: the name that the user gave the server, or else the transport and its address.
  { begins: 'stdio:', profile: 'portable' },
  { begins: 'sse:', profile: 'portable' },
  { begins: 'streamable-http:', profile: 'portable' },
];

/**
 * Clients and frameworks that pass names to a model of the user's choice. Any model must accept
 * them.
 */
const ANY_MODEL =
  '@langchain @librechat @n8n agno ai-sdk alpic amp anythingllm apify arcade autogen cherry cline com.raycast ' +
  'continue crewai crush dify dspy dust factory fast-agent fastmcp flowise gitguardian github-copilot ' +
  'glama google-adk goose haystack jan jetbrains kibana kilo langchain langchain4j langflow langgraph librechat ' +
  'llama-index llamaindex lm-studio lmstudio lobehub make-app mastra mcp-use mcpadapt mistral n8n ' +
  'open-webui opencode pipedream postman pydantic-ai q-cli qwen raycast roo semantic-kernel smolagents ' +
  'spring-ai strands vercel witsy xcode zed zencoder';

const RULES: readonly ClientRule[] = [
  ...KNOWN_CLIENTS,
  ...ANY_MODEL.split(' ').map((begins) => ({ begins, profile: 'portable' as const })),
];

/**
 * Clients that ask for lists once: the Inspector's command line, and frameworks that pass the list
 * to a model. Claude Code is not one: in print mode it gives servers at most 5 s, so part of a list
 * is better than none.
 */
const LIST_ONCE = (
  '@langchain agno ai-sdk autogen crewai dspy fast-agent google-adk haystack inspector ' +
  'java-sdk-mcp-client langchain langchain4j langgraph llama-index llamaindex mastra mcp-client-cli ' +
  'mcp-inspector mcp-use mcpadapt ' +
  'pydantic-ai semantic-kernel smolagents spring-ai sse: stdio: strands streamable-http: vercel'
).split(' ');
/** The SDKs for Python and Rust when a framework sets nothing. */
const PLAIN_SDKS: ReadonlySet<string> = new Set(['mcp', 'rmcp']);

/** Whether a client is known to ask for lists only once. Its first list must then be complete. */
export function listsOnce(client: AnnouncedClient | undefined): boolean {
  const { name } = (client ?? {}) as { name?: unknown };
  if (typeof name !== 'string') return false;
  const folded = foldName(name);
  return PLAIN_SDKS.has(folded) || LIST_ONCE.some((begins) => beginsWith(folded, begins));
}

/** The built-in profile for a client. An unknown client gets the canonical form. */
export function profileForClient(client: AnnouncedClient | undefined): ClientProfile {
  // The name and version come from the wire and may be of any type.
  const { name, version } = (client ?? {}) as { name?: unknown; version?: unknown };
  if (typeof name !== 'string') return CANONICAL;
  const folded = foldName(name);
  const known = typeof version === 'string' ? version : undefined;
  const rule = RULES.find((candidate) => matches(candidate, folded, known));
  return rule ? profileById(rule.profile) : CANONICAL;
}

/** Whether the announced name begins with these words. */
export function announces(client: AnnouncedClient | undefined, begins: string): boolean {
  const { name } = (client ?? {}) as { name?: unknown };
  return typeof name === 'string' && beginsWith(foldName(name), foldName(begins));
}

/** Lower case, with one separator between words and without a proxy's suffix. */
function foldName(name: string): string {
  const own = name
    .replace(/ \(via .*$/is, '')
    .trim()
    .toLowerCase();
  return own.replace(/[\s_-]+/g, '-');
}

function matches(rule: ClientRule, name: string, version: string | undefined): boolean {
  if (rule.whole ? name !== rule.begins : !beginsWith(name, rule.begins)) return false;
  return rule.below === undefined || (version !== undefined && isOlder(version, rule.below));
}

/** Whether the name begins with whole words: "amp-mcp-client" is Amp, "ampere" is not. */
function beginsWith(name: string, words: string): boolean {
  return name.startsWith(words) && !/[a-z0-9]/.test(name.charAt(words.length));
}

function isOlder(version: string, than: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(than)];
  if (a.length === 0) return false;
  for (let i = 0; i < b.length; i++) {
    const difference = (a[i] ?? 0) - b[i]!;
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function numbersOf(version: string): number[] {
  return (version.match(/\d+/g) ?? []).map(Number);
}
