// Asks a real MCP server on stdio for its tools, directly: one process, three messages.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);

/** The four official reference servers, as installed here. */
export const OFFICIAL_SERVERS = {
  everything: { package: '@modelcontextprotocol/server-everything', args: ['stdio'] },
  filesystem: { package: '@modelcontextprotocol/server-filesystem', args: ['.'] },
  memory: { package: '@modelcontextprotocol/server-memory', args: [] },
  'sequential-thinking': {
    package: '@modelcontextprotocol/server-sequential-thinking',
    args: [],
  },
};

/**
 * `{ package, version, tools }` of one official server, with the tools exactly as it lists them.
 */
export async function readToolList({ package: name, args }) {
  const { version, bin } = require(`${name}/package.json`);
  const [entry] = Object.values(bin);
  const child = spawn(process.execPath, [require.resolve(`${name}/${entry}`), ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  try {
    const send = (message) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'callsign-recorder', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    send({ id: 1, method: 'initialize', params });
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, result } = JSON.parse(line);
      if (id === 1) {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/list' });
      } else if (id === 2) return { package: name, version, tools: result.tools };
    }
    throw new Error(`${name} ended before it listed its tools`);
  } finally {
    child.kill();
  }
}
