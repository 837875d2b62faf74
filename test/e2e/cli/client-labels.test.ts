/**
 * The labels and names of each tool that the plain file of a client gives, without settings of
 * Callsign.
 */

import { join } from 'node:path';

import { readJson } from '@callsign/config';
import { describe, expect, it } from 'vitest';

import * as files from '../../../packages/gateway/src/config/testing/client-files.js';
import { readTools } from '../../../scripts/labels/corpus.mjs';
import { ROOT } from '../../architecture/tree.js';
import { Home } from './callsign.js';
import { recorded } from './recorded-server.js';

const GOLDEN = join(ROOT, 'test', 'e2e', 'cli', 'golden');

/** The recorded server that replaces each server of the files. */
const RECORDINGS: Readonly<Record<string, string>> = {
  filesystem: 'filesystem',
  github: 'github',
  database: 'postgres',
  sentry: 'sentry',
  legacy: 'brave',
  tickets: 'linear',
  local: 'memory',
  playwright: 'playwright',
  figma: 'figma',
  nested: 'slack',
  flat: 'fetch',
  remote: 'notion',
  api: 'tavily',
  git: 'git',
};

/** Each client, its profile, its file, and the key of the servers in the file. */
const CLIENTS = [
  ['claude-desktop', 'claude-desktop', files.CLAUDE_DESKTOP, 'mcpServers'],
  ['claude-code', 'claude-code', files.CLAUDE_CODE, 'mcpServers'],
  ['cursor', 'cursor', files.CURSOR, 'mcpServers'],
  ['vscode', 'vscode', files.VS_CODE, 'servers'],
  ['windsurf', 'windsurf', files.WINDSURF, 'mcpServers'],
  // Zed has no profile of its own.
  ['zed', 'portable', files.ZED, 'context_servers'],
  ['gemini', 'gemini', files.GEMINI, 'mcpServers'],
] as const;

interface Entry {
  readonly type?: string;
  readonly source?: string;
  readonly command?: string | { readonly path: string };
}

interface ListedTool {
  readonly canonical: string;
  readonly server: string;
  readonly tool: string;
  readonly name: string;
  readonly risk: string;
  readonly evidence: { readonly by: string; readonly because: string };
}

/** The file as its client wrote it, except that each server runs from its recording. */
function replayed(text: string, section: string): string {
  const document = readJson(text) as Record<string, object>;
  const entries = Object.entries(document[section] as Record<string, Entry>);
  const replaced = entries.map(([key, entry]) => [key, replayedEntry(key, entry)]);
  return JSON.stringify({ ...document, [section]: Object.fromEntries(replaced) }, null, 2);
}

/** In the form that the client uses; an entry without a recording stays as it is. */
function replayedEntry(key: string, entry: Entry): object {
  const recording = RECORDINGS[key];
  if (recording === undefined) return entry;
  const { command, args } = recorded(recording);
  if (typeof entry.command === 'object') return { ...entry, command: { path: command, args } };
  const kept = entry.source === undefined ? {} : { source: entry.source };
  return { ...kept, ...(entry.type === undefined ? {} : { type: 'stdio' }), command, args };
}

const truths = new Map(
  readTools().map(({ server, tool, effect }) => [`${server}:${tool.name}`, effect]),
);

describe('the plain file of a client', () => {
  it.each(CLIENTS)('%s gives names and labels', async (client, profile, text, section) => {
    const home = new Home();
    const file = home.write('client.json', replayed(text, section));
    const args = ['tools', '--config', file, '--profile', profile, '--json'];
    const { code, stdout } = await home.run(args);
    expect(code).toBe(0);
    const { tools } = JSON.parse(stdout) as { tools: ListedTool[] };

    const lines = tools.map(
      ({ canonical, name, risk, evidence: { by, because } }) =>
        `${canonical}\n  ${name}\n  ${risk} (${by}): ${because}`,
    );
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(
      join(GOLDEN, `client-labels-${client}.txt`),
    );

    // What the golden file infers must agree with what a reader of the definitions found.
    const wrong = tools.filter(({ server, tool, risk, evidence }) => {
      const truth = truths.get(`${RECORDINGS[server]}:${tool}`);
      return risk === 'read' && evidence.by === 'words' && truth !== 'reads';
    });
    expect(wrong).toEqual([]);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    // The original problem: every tool was destructive.
    expect(tools.some(({ risk }) => risk === 'read')).toBe(true);
  });
});
