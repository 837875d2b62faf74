/**
 * The clients we know, with the source of each limit. Observed in 2025 and 2026; clients change.
 */

import type { ClientProfile } from './client-profile.js';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ALPHANUMERIC = `${LETTERS}0123456789`;

/**
 * The convention's own form, `server:tool`: for people, and for clients that we know nothing about.
 */
export const CANONICAL: ClientProfile = {
  id: 'canonical',
  label: 'canonical form',
  separator: ':',
  characters: null,
  maxLength: Infinity,
  badNames: 'shown',
};

/**
 * Names without the server: for one server behind the gateway, the conformance suite, and MCP Apps.
 */
export const IDENTITY: ClientProfile = {
  id: 'identity',
  label: 'names as the servers give them',
  separator: null,
  characters: null,
  maxLength: Infinity,
  badNames: 'shown',
};

// MCP specification 2025-11-25 and 2026-07-28, server/tools, "Tool Names": 1 to 128 characters of
// A-Z a-z 0-9 _ - .
const SPEC: ClientProfile = {
  id: 'spec',
  label: 'MCP specification',
  separator: '__',
  characters: `${ALPHANUMERIC}_-.`,
  maxLength: 128,
  badNames: 'shown',
};

// ^[a-zA-Z0-9_-]{1,64}$; one bad name withholds the whole connector: evoila/meho#2745,
// docker/mcp-gateway#228.
const CLAUDE_DESKTOP: ClientProfile = {
  id: 'claude-desktop',
  label: 'Claude Desktop and claude.ai',
  separator: '__',
  characters: `${ALPHANUMERIC}_-`,
  maxLength: 64,
  badNames: 'refused',
};

// Shows mcp__<key>__<tool>, leaves out what passes 128 in all, rewrites "." to "_": ImmichMCP#8,
// MeshLib#6150. Its tool search, which is on by default, refers to tools by names of at most 64:
// anthropics/claude-code#16425, #22327, #23149.
const CLAUDE_CODE: ClientProfile = {
  id: 'claude-code',
  label: 'Claude Code',
  separator: '__',
  characters: `${ALPHANUMERIC}_-`,
  maxLength: 64,
  clientPrefix: 'mcp__{key}__',
  badNames: 'replaced',
  former: { maxLength: 128 },
};

// The function-calling API: [a-zA-Z0-9_-], 64; anything else is a 400 for the whole request.
const OPENAI: ClientProfile = {
  id: 'openai',
  label: 'OpenAI API and ChatGPT',
  separator: '__',
  characters: `${ALPHANUMERIC}_-`,
  maxLength: 64,
  badNames: 'refused',
};

// 0.166 sends the namespace mcp__<key> beside the function's name, and both together may have 128
// (openai/codex#39594); the name alone stays within the 64 of the API, and of Bedrock behind it
// (openai/codex#1289). Everything but letters, digits and "_" becomes "_", so a-b and a_b would be
// one tool (openai/codex#15832). Before that the prefix counted: see the rules in
// announced-client.ts.
const CODEX: ClientProfile = {
  id: 'codex',
  label: 'Codex',
  separator: '__',
  characters: `${ALPHANUMERIC}_`,
  maxLength: 64,
  badNames: 'replaced',
  former: { clientPrefix: 'mcp__{key}__' },
};

// Key and tool together must stay below 60 (composio#2788, posthog#51483). Names with anything but
// letters, digits and underscores are filtered out (webstudio#5960). The colon counts too.
const CURSOR: ClientProfile = {
  id: 'cursor',
  label: 'Cursor',
  separator: '__',
  characters: `${ALPHANUMERIC}_`,
  maxLength: 59,
  clientPrefix: '{key}:',
  badNames: 'refused',
};

// microsoft/vscode, mcpTypes.ts: 64 in all, of which a prefix mcp_<key>_ of at most 18; others
// become "_".
const VSCODE: ClientProfile = {
  id: 'vscode',
  label: 'VS Code',
  separator: '__',
  characters: `${ALPHANUMERIC}_-`,
  maxLength: 64,
  clientPrefix: 'mcp_{key}_',
  clientPrefixMax: 18,
  badNames: 'replaced',
};

// Gemini API: starts with a letter or "_". Gemini CLI (mcp-tool.ts) cuts the middle out past 63,
// and puts mcp_<key>_ in front in newer builds.
const GEMINI: ClientProfile = {
  id: 'gemini',
  label: 'Gemini CLI and API',
  separator: '__',
  characters: `${ALPHANUMERIC}_-.`,
  firstCharacters: `${LETTERS}_`,
  maxLength: 63,
  clientPrefix: 'mcp_{key}_',
  badNames: 'replaced',
};

// ^[a-zA-Z0-9_-]{1,64}$, else the tool is not registered: domscribe#18.
const WINDSURF: ClientProfile = {
  id: 'windsurf',
  label: 'Windsurf',
  separator: '__',
  characters: `${ALPHANUMERIC}_-`,
  maxLength: 64,
  badNames: 'refused',
};

// Converse API, ToolSpecification: [a-zA-Z0-9_-]{1,64}; the agents API asks for
// [a-zA-Z][a-zA-Z0-9_]*.
const BEDROCK: ClientProfile = {
  id: 'bedrock',
  label: 'Amazon Bedrock',
  separator: '__',
  characters: `${ALPHANUMERIC}_`,
  firstCharacters: LETTERS,
  maxLength: 64,
  badNames: 'refused',
};

/** The profiles of products. A linter checks names against these. */
export const CLIENT_PRODUCTS: readonly ClientProfile[] = [
  CLAUDE_DESKTOP,
  CLAUDE_CODE,
  OPENAI,
  CODEX,
  CURSOR,
  VSCODE,
  GEMINI,
  WINDSURF,
  BEDROCK,
];

/**
 * What every product above accepts, for frameworks that pass names to any model. Written out and
 * not computed: adding a stricter client must not change names that are in use.
 */
const PORTABLE: ClientProfile = {
  id: 'portable',
  label: 'every known client',
  separator: '__',
  characters: `${ALPHANUMERIC}_`,
  firstCharacters: LETTERS,
  maxLength: 64,
  clientPrefix: 'mcp__{key}__',
  badNames: 'refused',
};

/** The ids of built-in profiles. A configuration may define others. */
export type ProfileId =
  | 'canonical'
  | 'identity'
  | 'spec'
  | 'claude-desktop'
  | 'claude-code'
  | 'openai'
  | 'codex'
  | 'cursor'
  | 'vscode'
  | 'gemini'
  | 'windsurf'
  | 'bedrock'
  | 'portable';

/** The built-in profiles by id, in the order in which they are listed. */
export const PROFILES: ReadonlyMap<ProfileId, ClientProfile> = new Map(
  [CANONICAL, SPEC, ...CLIENT_PRODUCTS, PORTABLE, IDENTITY].map((profile) => [
    profile.id as ProfileId,
    profile,
  ]),
);

/** The built-in profile with this id. Throws an error that lists all ids. */
export function profileById(id: string): ClientProfile {
  const profile = PROFILES.get(id as ProfileId);
  if (profile) return profile;
  throw new Error(`There is no client profile "${id}". Known: ${[...PROFILES.keys()].join(', ')}.`);
}
