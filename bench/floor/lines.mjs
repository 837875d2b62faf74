// Lines over pipes for the floor contestants: split at newlines, written once per turn.

const NEWLINE = 10;

/** Calls back with every line of a stream. */
export function eachLine(stream, onLine) {
  let parts = [];
  stream.on('data', (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const part = chunk.subarray(from, at);
      from = at + 1;
      if (parts.length === 0) onLine(part.toString());
      else {
        parts.push(part);
        const whole = Buffer.concat(parts);
        parts = [];
        onLine(whole.toString());
      }
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  });
}

/**
 * Returns a function that writes a line, together with all others of this turn of the event loop.
 */
export function lineWriter(stream) {
  let waiting = '';
  const flush = () => {
    const text = waiting;
    waiting = '';
    stream.write(text);
  };
  return (line) => {
    if (waiting === '') setImmediate(flush);
    waiting += `${line}\n`;
  };
}
