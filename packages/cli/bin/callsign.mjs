#!/usr/bin/env node
import { main } from '../dist/index.js';

process.exitCode = await main(process.argv.slice(2));
// A reader that has stopped reading must not keep us.
setTimeout(() => process.exit(), 1_000).unref();
