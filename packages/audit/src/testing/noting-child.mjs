// A server that notes on disk what reaches it, before it answers: one line in, one line out.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [notes] = process.argv.slice(2);
for await (const line of createInterface({ input: process.stdin })) {
  appendFileSync(notes, `${line}\n`);
  process.stdout.write(`${line}\n`);
}
