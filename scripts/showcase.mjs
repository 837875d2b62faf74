import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONFIG = join(ROOT, 'examples', 'showcase', 'callsign.json');
/** As it is typed in the folder of the repository. */
const SHOWN = 'examples/showcase/callsign.json';

/** Serves until it is told to stop; gives the exit code. */
export async function showcase() {
  const { main } = await import('mcp-callsign');
  const port = Number(process.env.PORT ?? 3917) || (await freePort());
  const served = main(['serve', '--config', CONFIG, '--http', String(port)]);
  const base = `http://127.0.0.1:${port}`;
  const isOver = await Promise.race([served.then(() => true), introduce(base).then(() => false)]);
  if (isOver) console.error('Callsign did not start. If the port is taken: PORT=0 npm start');
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
    "args": [${JSON.stringify(join(ROOT, 'packages', 'cli', 'bin', 'callsign.mjs'))}, "serve", "--config", ${JSON.stringify(CONFIG)}] } } }

Try it in a second terminal:

  npx callsign tools harbour --config ${SHOWN}
  npx callsign call log path=tides.csv --config ${SHOWN}
  npx callsign call lightdash:lightdash_tools__list_projects --config ${SHOWN}
  npx callsign call harbour:harbour_logbook_mcpaql_read operation=list_ships --config ${SHOWN}
  npx callsign call harbour:harbour_logbook_mcpaql_delete operation=delete_booking 'params:={"booking_id":"booking-1"}' --config ${SHOWN}
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

/** The servers, once each has come up or failed. */
async function whenSettled(base) {
  for (;;) {
    const health = await fetch(`${base}/healthz`)
      .then((answer) => answer.json())
      .catch(() => undefined);
    // Just after its start the gateway lists no servers yet.
    const { servers = [] } = health ?? {};
    const isSettled = servers.every(({ state }) => state.is !== 'starting');
    if (servers.length > 0 && isSettled) return servers;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
