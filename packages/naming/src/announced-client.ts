/** From the name by which a client announces itself to the profile whose names it accepts. */

import type { ClientProfile } from './client-profile.js';
import { CANONICAL, profileById, type ProfileId } from './client-profiles.js';

export interface AnnouncedClient {
  readonly name?: string;
  readonly version?: string;
}

interface ClientRule {
  /** How the announced name begins, folded. */
  readonly begins: string;
  readonly profile: ProfileId;
  /** Only the whole name counts: it is too common a beginning. */
  readonly whole?: true;
  /** Holds below this version only; a client that announces none counts as newest. */
  readonly below?: string;
}

/** Clients that drive one model API, or whose own rules are known. First match wins. */
const KNOWN_CLIENTS: readonly ClientRule[] = [
  { begins: 'claude-code', profile: 'claude-code' },
  { begins: 'claude', profile: 'claude-desktop' },
  { begins: 'anthropic', profile: 'claude-desktop' },
  { begins: 'chatgpt', profile: 'openai' },
  { begins: 'openai', profile: 'openai' },
  { begins: 'codex', profile: 'openai', below: '0.116.0' },
  { begins: 'codex', profile: 'codex' },
  { begins: 'cursor', profile: 'cursor' },
  { begins: 'visual-studio-code', profile: 'vscode' },
  { begins: 'vscode', profile: 'vscode' },
  { begins: 'windsurf', profile: 'windsurf' },
  { begins: 'gemini', profile: 'gemini' },
  { begins: 'antigravity', profile: 'gemini' },
  { begins: 'q-dev-cli', profile: 'bedrock' },
  { begins: 'kiro', profile: 'bedrock' },
  { begins: 'mcp', profile: 'portable', whole: true }, // the Python SDK when a framework sets nothing
];

/** Clients and frameworks that hand names to a model of the user's choice: whatever it is must accept them. */
const ANY_MODEL =
  '@librechat @n8n agno ai-sdk alpic amp anythingllm apify arcade autogen cherry cline com.raycast ' +
  'continue crewai crush dify dspy dust factory fast-agent fastmcp flowise gitguardian github-copilot ' +
  'glama google-adk goose haystack jan jetbrains kilo langchain langchain4j langflow langgraph librechat ' +
  'llama-index llamaindex lm-studio lmstudio lobehub make-app mastra mcp-use mcpadapt mistral n8n ' +
  'open-webui opencode pipedream postman pydantic-ai q-cli qwen raycast roo semantic-kernel smolagents ' +
  'spring-ai strands vercel witsy xcode zed zencoder';

const RULES: readonly ClientRule[] = [
  ...KNOWN_CLIENTS,
  ...ANY_MODEL.split(' ').map((begins) => ({ begins, profile: 'portable' as const })),
];

/** The profile for a client, by its own word; the canonical form for one that we know nothing about. */
export function profileForClient(client: AnnouncedClient | undefined): ClientProfile {
  // What a client says of itself comes from the wire: it may be anything.
  const { name, version } = (client ?? {}) as { name?: unknown; version?: unknown };
  if (typeof name !== 'string') return CANONICAL;
  const folded = foldName(name);
  const known = typeof version === 'string' ? version : undefined;
  const rule = RULES.find((candidate) => matches(candidate, folded, known));
  return rule ? profileById(rule.profile) : CANONICAL;
}

/** Lower case, one spelling of the gaps between words, and no word of a proxy in between. */
function foldName(name: string): string {
  const own = name
    .replace(/ \(via .*$/is, '')
    .trim()
    .toLowerCase();
  return own.replace(/[\s_-]+/g, '-');
}

function matches(rule: ClientRule, name: string, version: string | undefined): boolean {
  if (!name.startsWith(rule.begins)) return false;
  const next = name.charAt(rule.begins.length);
  // A word has to end there: "amp-mcp-client" is Amp, "ampere" is not.
  if (rule.whole ? next !== '' : /[a-z0-9]/.test(next)) return false;
  return rule.below === undefined || (version !== undefined && isOlder(version, rule.below));
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
