#!/usr/bin/env node
import { main } from '../dist/cli/main.js';

process.exitCode = await main(process.argv.slice(2), process.env);
// Connections that are kept for later must not keep us.
setTimeout(() => process.exit(), 1_000).unref();
