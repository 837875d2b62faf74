// Raw JSON-RPC over a process's pipes: one line, one message; lines of one turn are written together.
import { idOf, ignore } from './client.mjs';

const NEWLINE = 10;

/** @returns {import('./client.mjs').Client} */
export function lineClient({ stdin, stdout }) {
  const waiting = new Map();
  let listener = ignore;
  let unwritten = '';
  let parts = [];

  const flush = () => {
    const text = unwritten;
    unwritten = '';
    stdin.write(text);
  };
  const write = (text) => {
    // At the end of the turn and not later, because a delay would count as the gateway's.
    if (unwritten === '') process.nextTick(flush);
    unwritten += `${text}\n`;
  };
  const onLine = (line) => {
    const id = idOf(line);
    const done = waiting.get(id);
    if (done === undefined) return listener(line);
    waiting.delete(id);
    done(line);
  };
  stdout.on('data', (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const part = chunk.subarray(from, at);
      from = at + 1;
      if (parts.length === 0) onLine(part);
      else {
        parts.push(part);
        const whole = Buffer.concat(parts);
        parts = [];
        onLine(whole);
      }
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  });
  return {
    send(text, id, done) {
      waiting.set(id, done);
      write(text);
    },
    notify: write,
    onNotice(given) {
      listener = given;
    },
    close: () => stdin.end(),
  };
}
