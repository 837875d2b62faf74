/** A harbour that knows where its ships lie: one tool, with one clear name and one honest label. */
import { createRegistrar, READ_ONLY_DEFAULT } from '@callsign/toolkit';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const berths = new Map([['Argo', 3]]);
const registerTool = createRegistrar({ prefix: 'harbour__', strict: true });

serveStdio(() => {
  const server = new McpServer({ name: 'harbour', version: '1.0.0' });
  const findShip = {
    title: 'Find ship',
    description: 'Finds the berth where a ship lies, by the name of the ship.',
    inputSchema: z.object({ name: z.string() }),
    annotations: READ_ONLY_DEFAULT,
  };
  registerTool(server, 'find_ship', findShip, ({ name }) => {
    if (!berths.has(name)) throw new Error(`No ship in the harbour is called ${name}.`);
    return `${name} lies at berth ${berths.get(name)}.`;
  });
  return server;
});
