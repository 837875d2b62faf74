// The server behind every contestant: as little work per call as possible, in both eras, and bad behaviour on
// demand. Flag: --tools=N, how many tools it has in all.
import { parseArgs } from 'node:util';

import { eachLine, lineWriter } from './lines.mjs';

const { values: flags } = parseArgs({
  options: { tools: { type: 'string', default: '1' } },
});
const VERSION = '2026-07-28';
const capabilities = { tools: { listChanged: true }, logging: {} };
const serverInfo = { name: 'bench-child', version: '1.0.0' };
const PAYLOAD = '"text":"';
/** The first tools have a purpose; the others only make the list longer. */
const PURPOSES = ['echo', 'change', 'silent', 'slow', 'progress', 'never', 'grow', 'flood', 'calm'];
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
const CHANGES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true };
/** The hints of the measured tools: one reads, one changes something, one has no hints. */
const WORDS = {
  echo: { description: 'Returns the text that it was given.', annotations: READS },
  change: { description: 'Updates the text of a record.', annotations: CHANGES },
  silent: { description: 'Takes a text.' },
};
/** Progress for a call that was never made, so reading it is the only work. */
const FLOOD = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"nobody","progress":1,"message":"${'flood '.repeat(10)}"}}\n`;

let toolCount = Number(flags.tools);
let isFlooding = false;
const write = lineWriter(process.stdout);
process.stdin.once('end', () => process.exit());
eachLine(process.stdin, receive);

/** The payload is cut out before the line is parsed, so that a megabyte costs only a copy. */
function receive(line) {
  const start = line.indexOf(PAYLOAD);
  if (start === -1) return answer(JSON.parse(line), '');
  const from = start + PAYLOAD.length;
  const to = line.indexOf('"', from);
  answer(JSON.parse(line.slice(0, from) + line.slice(to)), line.slice(from, to));
}

function answer({ id, method, params }, text) {
  if (id === undefined) return;
  switch (method) {
    case 'tools/call':
      return call(id, params, text);
    case 'initialize':
      return result(id, { protocolVersion: params.protocolVersion, capabilities, serverInfo });
    case 'server/discover':
      return result(id, { supportedVersions: [VERSION], capabilities, resultType: 'complete' });
    case 'tools/list':
      return result(id, { tools: Array.from({ length: toolCount }, (_, i) => tool(i)) });
    default:
      return result(id, {});
  }
}

function call(id, { name, arguments: given, _meta }, text) {
  switch (name) {
    case 'never':
      return;
    case 'slow':
      return void setTimeout(() => echo(id, ''), given.ms);
    case 'progress': {
      const head = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${JSON.stringify(_meta.progressToken)},"progress":`;
      for (let i = 1; i <= given.count; i++) write(`${head}${i}}}`);
      return echo(id, '');
    }
    case 'grow':
      toolCount++;
      write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
      return echo(id, '');
    case 'flood':
      isFlooding = true;
      flood();
      return echo(id, '');
    case 'calm':
      isFlooding = false;
      return echo(id, '');
    default:
      return echo(id, text);
  }
}

/** The text is copied unparsed, because the bench sends no text that JSON would escape. */
function echo(id, text) {
  write(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"${text}"}],"resultType":"complete"}}`,
  );
}

function result(id, value) {
  write(JSON.stringify({ jsonrpc: '2.0', id, result: value }));
}

function tool(index) {
  const name = PURPOSES[index] ?? `record_${index}_update`;
  return {
    name,
    ...(WORDS[name] ?? {
      title: `Update record ${index}`,
      description: `Updates the record of kind ${index} with the fields that are given, and leaves the others as they are.`,
      annotations: CHANGES,
    }),
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'The text of the record.' },
        ms: { type: 'integer', description: 'How long to take, in milliseconds.' },
        count: { type: 'integer', description: 'How often to report progress.' },
      },
    },
  };
}

/** As fast as the reader accepts it: each text is written when the one before it is out. */
function flood() {
  if (isFlooding) process.stdout.write(FLOOD.repeat(100), flood);
}
