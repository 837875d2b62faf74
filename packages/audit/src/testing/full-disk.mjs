// A process that records calls until the disk is full, makes some more, and ends. Prints how many records it lost.
import { recorder } from './recorded-calls.mjs';

const { audit, call } = recorder(process.argv[2], 'best-effort');
let i = 0;
while (audit.status.trouble === undefined) await call(i++);
for (let more = 0; more < 10; more++) await call(i++);
await audit.close(0);
const { waiting, lost } = audit.status;
process.stdout.write(String(waiting + lost));
