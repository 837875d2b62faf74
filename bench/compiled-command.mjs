// The command as it was compiled: in its profile, functions have their names.
import { main } from 'mcp-callsign';

process.exitCode = await main(process.argv.slice(2));
