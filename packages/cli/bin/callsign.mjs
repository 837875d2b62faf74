#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';

// Where Node can keep what it has compiled for the next time.
module.enableCompileCache?.();

// Published, everything is in the folder of the bundle; in a working copy it is as it was built.
const bundle = new URL('../bundle/callsign.js', import.meta.url);
const { main } = await import(existsSync(bundle) ? bundle.href : '../dist/index.js');

process.exitCode = await main(process.argv.slice(2));
// A reader that has stopped reading must not keep us.
setTimeout(() => process.exit(), 1_000).unref();
