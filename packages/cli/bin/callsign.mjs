#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';

/** Files that the command itself opens at once. Each server and each connection of a client needs some more. */
const LEAST_FILES = 256;

/** The limit on open files, where the system says it. Node has raised it as far as it may. */
function openFileLimit() {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return Number(limit);
  } catch {
    return Infinity;
  }
}

const limit = openFileLimit();
if (limit < LEAST_FILES) {
  const advice = `Callsign needs at least ${LEAST_FILES}. Raise it, for example: ulimit -n 1024`;
  process.stderr.write(`The limit on open files is ${limit}. ${advice}\n`);
  process.exit(1);
}

// Where Node can keep what it has compiled for the next time.
module.enableCompileCache?.();

// Published, everything is in the folder of the bundle; in a working copy it is as it was built.
const bundle = new URL('../bundle/callsign.js', import.meta.url);
const { main } = await import(existsSync(bundle) ? bundle.href : '../dist/index.js');

process.exitCode = await main(process.argv.slice(2));
// A reader that has stopped reading must not keep us.
setTimeout(() => process.exit(), 1_000).unref();
