#!/usr/bin/env node
// CommonJS, because the first ES module adds about 9 ms to each start.
'use strict';

const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { isatty } = require('node:tty');

/**
 * Open files that the command itself needs. Each server and each client connection needs some more.
 */
const LEAST_FILES = 256;

/**
 * The limit on open files, if the system tells it. Node has raised it as far as it is allowed to.
 */
function openFileLimit() {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return Number(limit);
  } catch {
    return Infinity;
  }
}

/**
 * SIGHUP asks a gateway to read its configuration. While its code is loaded, it has not read it yet, so the signal is
 * ignored, unless the terminal is gone. `EndSignal` ends this.
 */
function surviveHangup() {
  const hadTerminal = isatty(0);
  const listener = () => {
    if (!hadTerminal || isatty(0)) return;
    process.off('SIGHUP', listener);
    process.kill(process.pid, 'SIGHUP');
  };
  process.on('SIGHUP', listener);
  globalThis[Symbol.for('callsign.early-hangup')] = listener;
}

/** A clone has no bundle before its set-up. */
function load() {
  const bundle = join(__dirname, '../bundle/callsign.cjs');
  if (existsSync(bundle)) return require(bundle);
  process.stderr.write('Callsign is not built yet. Run: npm run setup\n');
  process.exit(1);
}

/** Resolves when the reader has taken everything, or has gone. */
function written(stream) {
  return new Promise((done) => void stream.write('', done));
}

async function run() {
  const limit = openFileLimit();
  if (limit < LEAST_FILES) {
    const advice = `Callsign needs at least ${LEAST_FILES}. Raise it, for example: ulimit -n 1024`;
    process.stderr.write(`The limit on open files is ${limit}. ${advice}\n`);
    process.exit(1);
  }
  const { main } = load();
  process.exitCode = await main(process.argv.slice(2));
  // A reader may be slow. One that has stopped reading must not keep a process alive that a signal has
  // asked to end.
  const wasAsked = globalThis[Symbol.for('callsign.asked-to-end')] === true;
  if (!wasAsked) await Promise.all([process.stdout, process.stderr].map(written));
  setTimeout(() => process.exit(), 1_000).unref();
}

if (process.argv.includes('serve')) surviveHangup();

// Until the command has answered.
process.exitCode = 1;
run().catch((error) => {
  // Outside of the promise: a rejection that nothing expected is only logged.
  setImmediate(() => {
    throw error;
  });
});
