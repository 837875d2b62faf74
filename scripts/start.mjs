// The showcase: the gateway over HTTP, in front of six real MCP servers. PORT chooses the port.
import { setUp } from './setup.mjs';
import { choosePort, showcase } from './showcase.mjs';

// The set-up may take minutes, so what would end the start comes first.
if ((await choosePort()) === undefined) {
  process.exitCode = 1;
} else {
  console.error('Preparing Callsign: checking what is installed and built …');
  setUp();
  process.exitCode = await showcase();
}
