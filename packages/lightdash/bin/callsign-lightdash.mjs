#!/usr/bin/env node
import { main } from '../dist/cli/main.js';

process.exitCode = await main(process.argv.slice(2), process.env);
// Idle connections must not keep the process running.
setTimeout(() => process.exit(), 1_000).unref();
