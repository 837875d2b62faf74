import { setTimeout as sleep } from 'node:timers/promises';

/** Lists tools until all `names` are there. The first start of a gateway does not wait for slow servers. */
export async function untilListed(client, ...names) {
  for (;;) {
    const { tools } = await client.listTools();
    if (names.every((name) => tools.some((tool) => tool.name === name))) return tools;
    await sleep(100);
  }
}
