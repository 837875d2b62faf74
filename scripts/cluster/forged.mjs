// A program that can write to the database but does not know the secrets, and makes itself one of the instances.

export const CLOCK = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Enters the directory. `received`: all that instances sent it, which must stay empty. */
export async function openForged({ url, schema }) {
  const { Membership } = await import('@callsign/instances');
  const { InstanceNetwork } = await import('@callsign/instances/peers');
  const { connectionOptions, Database, openStorage } = await import('@callsign/instances/postgres');
  const settings = { postgres: url, schema, connections: 2 };
  const storage = await openStorage({
    settings,
    clock: CLOCK,
    log: () => undefined,
    isBrief: true,
  });
  const connection = connectionOptions(url, undefined);
  const database = new Database({ connection, schema, connections: 1 });
  const { instance: id, directory } = storage;
  const secrets = ['a secret that the instances do not have'];
  const network = new InstanceNetwork({ id, secrets, host: '127.0.0.1', port: 0 });
  const received = [];
  const take = (request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.writeHead(500).end();
  };
  network.onServer = take;
  network.onClient = take;
  const self = { ...(await network.listen()), id, configuration: '', version: '0', state: 'ready' };
  const membership = new Membership({ directory, clock: CLOCK, self });
  await membership.open();
  network.join(membership);
  return {
    id,
    received,
    /** Takes a lease from its holder. */
    async takeLease(name, seconds) {
      await database.query(
        `update ${database.name('leases')} set holder = $2, fence = fence + 1,
           ends_at = now() + $3::double precision * interval '1 second' where name = $1`,
        [name, id, seconds],
      );
    },
    /** Tries to reach every instance. An instance that answers is a flaw. */
    async knock() {
      const others = membership.instances.filter((other) => other.id !== id);
      const answers = await Promise.all(others.map((other) => network.isAlive(other)));
      if (answers.some(Boolean)) received.push('an answer to a request of the forged one');
    },
    async close() {
      await membership.close();
      await network.close();
      await database.close();
      await storage.close();
    },
  };
}
