import type { ToolAnnotations as LegacyAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { registerToolSafe, type ToolOptions, withToolMethod } from '../index.js';
import { legacySession, modernSession, type Reported } from '../testing/sessions.js';

const SHIPS = ['Ada', 'Bea', 'Cleo'];

describe.each([
  ['version 1', legacySession],
  ['version 2', modernSession],
])('the code of a guide on %s of the SDK', (_, sessionOf) => {
  it('registers a tool by name, description, shape, hints and handler (S17)', async () => {
    const session = await sessionOf((bare) => {
      const server = withToolMethod(bare);
      server.tool(
        'find_ships',
        'Finds ships by a part of their name',
        { part: z.string() },
        { title: 'Find Ships', readOnlyHint: true, openWorldHint: false },
        async ({ part }) => {
          const found = SHIPS.filter((name) => name.includes(part));
          return { content: [{ type: 'text', text: found.join('\n') }] };
        },
      );
      server.tool(
        'scrap_ship',
        'Scraps a ship for good',
        { name: z.string() },
        { title: 'Scrap Ship', destructiveHint: true, idempotentHint: false, openWorldHint: false },
        async ({ name }) => ({ content: [{ type: 'text', text: `Scrapped: ${name}` }] }),
      );
    });
    const tools = await session.list();
    expect(tools).toMatchObject([
      { name: 'find_ships', annotations: { title: 'Find Ships', readOnlyHint: true } },
      { name: 'scrap_ship', annotations: { readOnlyHint: false, destructiveHint: true } },
    ]);
    expect(await session.call('find_ships', { part: 'e' })).toMatchObject({ text: 'Bea\nCleo' });
    expect(await session.call('scrap_ship', { name: 'Ada' })).toMatchObject({
      text: 'Scrapped: Ada',
    });
    await session.close();
  });

  it('reports progress as an object, and sees a cancellation (S17)', async () => {
    let passes = 0;
    const session = await sessionOf((bare) => {
      withToolMethod(bare).tool(
        'paint_ships',
        'Paints all ships',
        { dryRun: z.boolean().default(false) },
        { title: 'Paint Ships', destructiveHint: true },
        async ({ dryRun }, context) => {
          for (let i = 0; i < SHIPS.length; i++) {
            if (context.signal?.aborted) {
              return { content: [{ type: 'text', text: 'Cancelled.' }], isError: true };
            }
            passes++;
            await context.sendProgress({
              progress: i,
              total: SHIPS.length,
              description: `${dryRun ? '[DRY RUN] ' : ''}Painting ${SHIPS[i]}`,
            });
          }
          return { content: [{ type: 'text', text: `${SHIPS.length} painted` }] };
        },
      );
    });
    const reports: Reported[] = [];
    const onprogress = (step: Reported): void => void reports.push(step);
    const { text } = await session.call('paint_ships', { dryRun: true }, { onprogress });
    expect(text).toBe('3 painted');
    expect(reports).toMatchObject([
      { progress: 0, total: 3, message: '[DRY RUN] Painting Ada' },
      { progress: 1, total: 3, message: '[DRY RUN] Painting Bea' },
      { progress: 2, total: 3, message: '[DRY RUN] Painting Cleo' },
    ]);
    passes = 0;
    const stop = new AbortController();
    const cancelled = session.call(
      'paint_ships',
      {},
      {
        signal: stop.signal,
        onprogress: () => stop.abort(),
      },
    );
    await expect(cancelled).rejects.toThrow();
    expect(passes).toBeLessThan(3);
    await session.close();
  });

  it('compiles with a plain shape, options without a type argument and hints of the SDK (S17)', async () => {
    const hints: ToolAnnotations & LegacyAnnotations = { readOnlyHint: true };
    const options: ToolOptions = { description: 'Counts ships.', inputSchema: { of: z.string() } };
    const session = await sessionOf((server) => {
      registerToolSafe(server, 'count_ships', { ...options, annotations: hints }, () => '3');
      const inputSchema = { of: z.string() };
      const typed = { description: 'Names ships.', inputSchema };
      registerToolSafe(server, 'name_ships', typed, ({ of }) => of.toUpperCase());
    });
    expect(await session.call('lightdash_tools__name_ships', { of: 'a' })).toMatchObject({
      text: 'A',
    });
    await session.close();
  });
});
