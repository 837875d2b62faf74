import { readFileSync } from 'node:fs';

import { Hub } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { send } from '../../../../../test/adapters/desk.js';
import { serverWith, type ServerTool } from '../../../../../test/adapters/server.js';
import { createCrudeView } from '../../view/crude-view.js';
import { hubOperations } from '../../view/operation-source.js';
import { checkConformance } from './check-conformance.js';

describe('four real servers', () => {
  const recorded = (server: string) =>
    (
      JSON.parse(
        readFileSync(
          new URL(`../../../../../test/recordings/${server}.json`, import.meta.url),
          'utf8',
        ),
      ) as { tools: ServerTool[] }
    ).tools;

  it.each(['filesystem', 'memory', 'everything', 'sequential-thinking'])(
    '%s follows the protocol in this view, and every tool has an endpoint',
    async (name) => {
      const tools = recorded(name);
      const hub = new Hub({ label: () => ({ trust: 'full' }) });
      hub.set(name, serverWith(tools).source);
      const view = createCrudeView(hubOperations(hub, name), { name });
      expect(view.report()).toHaveLength(tools.length);
      const { checks } = await checkConformance({
        listTools: async () =>
          view.offer.tool.map(({ json }) => JSON.parse(json) as { name: string }),
        callTool: async (tool, args) => JSON.parse((await send(view, tool, args)).json) as unknown,
      });
      // A server decides the parameters of its tools, and labels state the worst of the operations behind them.
      const others = [
        'unknown-parameter',
        'missing-parameter',
        'hint-destructive',
        'hint-idempotent',
      ];
      const failed = checks.filter(
        ({ id, outcome }) => outcome === 'failed' && !others.includes(id),
      );
      expect(failed).toEqual([]);
    },
  );
});
