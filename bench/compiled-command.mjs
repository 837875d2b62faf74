// The compiled command, not the bundle, because its profile shows the real names of functions.
import { main } from 'mcp-callsign';

process.exitCode = await main(process.argv.slice(2));
