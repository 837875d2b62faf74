// A process that pins a server, as built and not from source. Arguments: the lock file, the server's key.
import { fileLock, ToolLock } from '@callsign/governance';

const [file, server] = process.argv.slice(2);
const item = { name: 'a', json: '{"name":"a"}' };
await new ToolLock(fileLock(file)).pin(server, [item]);
await new ToolLock(fileLock(file)).pin('both', [
  { ...item, json: `{"name":"a","title":"${server}"}` },
]);
