#!/usr/bin/env node
import { runSandbox } from '../dist/sandbox/index.js';

process.exitCode = await runSandbox(process.argv.slice(2));
