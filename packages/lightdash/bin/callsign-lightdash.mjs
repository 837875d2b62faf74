#!/usr/bin/env node
import { main } from '../bundle/command.js';

process.exitCode = await main(process.argv.slice(2), process.env);
