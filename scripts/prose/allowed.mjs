// Texts that the rules report and that stay as they are, each with the reason.

/** `text` is what the finding quotes. An exception that no finding needs is an error. */
export const ALLOWED = [
  {
    file: 'packages/gateway/src/sandbox/inside-text.ts',
    text: "'use strict'; const net = require('net')",
    reason: 'A program.',
  },
  {
    file: 'packages/gateway/src/sandbox/inside-text.ts',
    text: "')) return; socket.off('data', read); so",
    reason: 'A program.',
  },
  {
    file: 'packages/gateway/src/sandbox/inside-text.ts',
    text: "'' : options.host) }); const plain = htt",
    reason: 'A program.',
  },
  {
    file: 'packages/gateway/src/sandbox/inside-text.ts',
    text: 'done(error) : done(null, secure(options,',
    reason: 'A program.',
  },
  {
    file: 'packages/gateway/src/sandbox/inside-text.ts',
    text: '443 : 80); if (!isLocal(hostname)) retur',
    reason: 'A program.',
  },
  {
    file: 'packages/gateway/src/scripts/program/prelude.ts',
    text: "(host, seed) => { 'use strict'; const { ",
    reason: 'The code of the engine.',
  },
  {
    file: 'packages/gateway/src/scripts/program/prelude.ts',
    text: "'{}' : stringify(given); if (json === un",
    reason: 'The code of the engine.',
  },
  {
    file: 'packages/gateway/src/scripts/program/prelude.ts',
    text: 'const stop = () => () => { used(); throw',
    reason: 'The code of the engine.',
  },
  {
    file: 'packages/gateway/src/scripts/program/prelude.ts',
    text: "name : 'Error') + ': ' + Text(message) +",
    reason: 'The code of the engine.',
  },
  {
    file: 'packages/wire/src/rpc/child/process-group.ts',
    text: 'groups=quotation while read -r what pid;',
    reason: 'A shell script.',
  },
  {
    file: 'packages/cli/src/completion/scripts.ts',
    text: '_callsign() { local line=quotation curre',
    reason: 'A shell script.',
  },
  {
    file: 'scripts/cluster/balancer.mjs',
    text: 'global maxconn 2000 defaults mode http t',
    reason: 'A configuration of haproxy.',
  },
  {
    file: 'scripts/recording/svg.mjs',
    text: '.window { fill: #16181d; } .text { font:',
    reason: 'A style sheet.',
  },
  {
    file: 'scripts/showcase.mjs',
    text: 'npx callsign tools harbour --config … np',
    reason: 'Commands, one per line.',
  },
  {
    file: 'packages/mcpaql/src/authoring/generate/fixed-files.ts',
    text: 'export function createServer(calls: Call',
    reason: 'Generated code.',
  },
  {
    file: 'packages/mcpaql/src/authoring/generate/package-files.ts',
    text: '| file | what it is | | --- | --- | | co',
    reason: 'A table of a generated page.',
  },
  {
    file: 'packages/mcpaql/src/authoring/generate/test-file.ts',
    text: "describe('the tools', () => { it('have r",
    reason: 'Generated code.',
  },
  {
    file: 'packages/mcpaql/src/authoring/generate/test-file.ts',
    text: "it('describe the adapter and its operati",
    reason: 'Generated code.',
  },
  {
    file: 'packages/mcpaql/testing-apis/reading-room.adapter.md',
    text: 'Room',
    reason: 'The name of an API.',
  },
  {
    file: 'packages/lightdash/src/cli/command-options.ts',
    text: '--stdio serves on standard input and out',
    reason: 'A list of flags.',
  },
  {
    file: 'packages/lightdash/src/cli/command-options.ts',
    text: 'Variables: LIGHTDASH_URL the address of ',
    reason: 'A list of variables.',
  },
];
