#!/usr/bin/env node
import { runSandbox } from '../bundle/sandbox.js';

process.exitCode = await runSandbox(process.argv.slice(2));
