// Imported before anything is installed, so at first it uses nothing but Node.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONFIG = join(ROOT, 'examples', 'showcase', 'callsign.json');
/** As typed in the folder of the repository. */
const SHOWN = 'examples/showcase/callsign.json';

/** Serves until it is stopped. Returns the exit code. */
export async function showcase() {
  const port = await choosePort();
  if (port === undefined) return 1;
  console.error('Starting the servers …');
  const { main } = await import('mcp-callsign');
  const served = main(['serve', '--config', CONFIG, '--http', String(port)]);
  await Promise.race([served, introduce(`http://127.0.0.1:${port}`)]);
  return served;
}

async function introduce(base) {
  const servers = await whenSettled(base);
  const tools = servers.reduce((sum, server) => sum + server.tools, 0);
  const lines = servers.map(({ key, state, tools: count }) =>
    state.is === 'ready'
      ? `  ${key.padEnd(12)} ${counted(count)}`
      : `  ${key.padEnd(12)} ${state.is}`,
  );
  console.log(`
${servers.length} servers, ${tools} tools, one endpoint: ${base}/mcp

${lines.join('\n')}

Connect a client:

Claude Code
  claude mcp add --transport http callsign ${base}/mcp

Cursor, in ~/.cursor/mcp.json
  { "mcpServers": { "callsign": { "url": "${base}/mcp" } } }

VS Code, in .vscode/mcp.json
  { "servers": { "callsign": { "type": "http", "url": "${base}/mcp" } } }

Codex, in ~/.codex/config.toml
  [mcp_servers.callsign]
  url = "${base}/mcp"

Claude Desktop, in claude_desktop_config.json
  { "mcpServers": { "callsign": {
    "command": ${JSON.stringify(process.execPath)},
    "args": [${JSON.stringify(join(ROOT, 'packages', 'cli', 'bin', 'callsign.cjs'))}, "serve", "--config", ${JSON.stringify(CONFIG)}] } } }

Try it in a second terminal:

  npx callsign tools harbour --config ${SHOWN}
  npx callsign call log path=tides.csv --config ${SHOWN}
  npx callsign call lightdash:lightdash_tools__list_projects --config ${SHOWN}
  npx callsign call harbour:harbour_logbook_mcpaql_read operation=list_ships --config ${SHOWN}
  npx callsign call memory:create_entities 'entities:=[{"name":"pier 9","entityType":"pier","observations":["closed"]}]' --config ${SHOWN}
  npx callsign call memory:delete_entities 'entityNames:=["pier 9"]' --config ${SHOWN}
    which deletes, so you are asked first
  npx callsign names --all --config ${SHOWN}
  npx callsign audit list
  npx callsign status

A destructive call of a client that cannot ask its user waits: npx callsign approvals list

Stop with Ctrl-C.`);
}

function counted(tools) {
  return tools === 1 ? '1 tool' : `${tools} tools`;
}

/** None before the gateway listens. */
async function serversAt(base) {
  try {
    const { servers } = await (await fetch(`${base}/healthz`)).json();
    return servers;
  } catch {
    return [];
  }
}

/**
 * Returns the servers when each has started or failed, and prints why one has failed as
 * soon as that is known.
 */
async function whenSettled(base) {
  const said = new Set();
  for (;;) {
    const servers = await serversAt(base);
    for (const { key, state } of servers) {
      if (isOpen(state) || said.has(key)) continue;
      said.add(key);
      if (state.is !== 'ready') console.error(`  ${key}: ${state.reason ?? state.is}`);
    }
    if (servers.length > 0 && said.size === servers.length) return servers;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}

function isOpen({ is }) {
  return is === 'starting' || is === 'waiting';
}

const PORT_TROUBLES = {
  EADDRINUSE: 'is in use, perhaps by another showcase',
  ERR_SOCKET_BAD_PORT: 'is not a number from 0 to 65535',
};

/** The port of the showcase. `undefined`: it cannot be used, and the reason is printed. */
export async function choosePort() {
  const wanted = process.env.PORT || '3917';
  try {
    return await freePort(wanted);
  } catch ({ code }) {
    const why = PORT_TROUBLES[code] ?? `cannot be used (${code})`;
    console.error(`Port ${wanted} ${why}. To use any free port: PORT=0 npm start`);
    return undefined;
  }
}

/** The port itself if it is free; for 0, any free one. */
function freePort(wanted) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    // Text that is not a port throws here.
    probe.listen({ port: wanted, host: '127.0.0.1' }, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
