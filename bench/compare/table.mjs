// The tables of docs/comparison.md, from what was measured.
import { SLOW_MS } from './measure.mjs';

const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;
const time = (ms) => (ms < 1_000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : seconds(ms));
const number = (value) => Math.round(value).toLocaleString('en');

export function tableOf(measured, { processor, cores, node }) {
  const slow = `one of which needs ${SLOW_MS / 1_000} s to start`;
  return [
    `### Lists\n\nTwelve recorded servers, ${slow}. A bridge has one server.`,
    table(measured, {
      'first list': ({ lists }) =>
        whole(lists, ({ first, of, firstMs, names }) =>
          names
            ? `${first} of ${of} tools after ${seconds(firstMs)}`
            : `${first} tools of its own after ${seconds(firstMs)}`,
        ),
      'fields that differ, besides the name': ({ lists }) =>
        whole(lists, ({ fields, compared }) =>
          fields ? `${fieldsIn(fields)}, of ${compared} tools` : '-',
        ),
    }),
    '### Names\n\nHow many of the listed names each client accepts as they are, by [its rules](names.md).',
    table(
      measured.filter(({ lists }) => lists.names),
      Object.fromEntries(
        clientsIn(measured).map((client) => [
          client,
          ({ lists }) =>
            lists.names[client] === lists.listed
              ? 'all'
              : `${lists.names[client]} of ${lists.listed}`,
        ]),
      ),
    ),
    '### Contents\n\nNumbers that JavaScript cannot hold, and fields and blocks that no version of MCP knows, in both directions.',
    table(measured, {
      'numbers kept': ({ contents }) => whole(contents, ({ numbers }) => left(numbers)),
      'unknown fields kept': ({ contents }) => whole(contents, ({ unknown }) => left(unknown)),
      'a block of a new type': ({ contents }) => whole(contents, ({ block }) => BLOCKS[block]),
    }),
    `### Failures\n\nThe call to a starting server is made as soon as the gateway answers. The server needs ${SLOW_MS / 1_000} s; the time counts from the start of the gateway.`,
    table(measured, {
      'call to a starting server': ({ starting }) => whole(starting, outcome),
      'call in which the server ends': ({ crash }) => whole(crash, ({ call }) => outcome(call)),
      'next call that is answered': ({ crash }) =>
        whole(crash, ({ back }) => (back === undefined ? 'none in 20 s' : `after ${time(back)}`)),
    }),
    `### Cost\n\nMeasured on ${processor}, ${cores} cores, Node ${node.slice(1)}. Memory and processor time are those of the gateway's own process. [Performance](performance.md) measures more.`,
    table(measured, {
      'memory with the servers above': ({ lists }) => whole(lists, ({ mb }) => `${number(mb)} MB`),
      'processor time of that start': ({ lists }) =>
        whole(lists, ({ coreMs }) => `${number(coreMs)} ms`),
      'one call': ({ load }) => whole(load, ({ median }) => `${median.toFixed(2)} ms`),
      'processor time of a call': ({ load }) => whole(load, ({ core }) => `${number(core)} µs`),
      'memory after 2,500 calls': ({ load }) => whole(load, ({ mb }) => `${number(mb)} MB`),
    }),
  ].join('\n\n');
}

const line = (cells) => `| ${cells.join(' | ')} |`;

/** Gateways in rows. */
function table(measured, columns) {
  const heads = Object.keys(columns);
  const rows = measured.map((figures) => {
    const { name, version } = figures;
    const label = version === undefined ? name : `${name} ${version}`;
    const cells = Object.values(columns).map((cell) => cell(figures));
    return [name === 'Callsign' ? `**${label}**` : label, ...cells];
  });
  return [
    line(['gateway', ...heads]),
    line(['---', ...heads.map(() => '---')]),
    ...rows.map(line),
  ].join('\n');
}

function clientsIn(measured) {
  return Object.keys(measured.find(({ lists }) => lists.names)?.lists.names ?? {});
}

function whole(figures, cell) {
  return figures.failed === undefined ? cell(figures) : 'failed';
}

const BLOCKS = { kept: 'kept', lost: 'left out', error: 'the call fails' };

function fieldsIn(fields) {
  const each = Object.entries(fields).map(
    ([field, count]) => `\`${field.replace(' ', '` ')} in ${count}`,
  );
  return each.join(', ') || 'none';
}

function left({ of, lost }) {
  if (lost.length === 0) return `all ${of}`;
  if (lost.length === of) return `none of ${of}`;
  return `${of - lost.length} of ${of}; lost: ${lost.map((each) => `\`${each}\``).join(', ')}`;
}

function outcome({ is, ms }) {
  if (is === 'silent') return 'no answer in 10 s';
  return is === 'answered' ? `answered after ${time(ms)}` : `an error after ${time(ms)}`;
}
