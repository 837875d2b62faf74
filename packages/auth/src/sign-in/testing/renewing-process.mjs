// A process that shows its credentials for a server, as built and not from source.
// Arguments: the folder of sign-ins, the server's key and address, the authorization server. Prints the header.
import { createOutboundFetch, SignInCredentials, SignInFile } from '@callsign/auth';

const [folder, key, url, authorizationServer] = process.argv.slice(2);
const fetch = createOutboundFetch({ allowPrivate: [authorizationServer] }, url);
const onProblem = (message) => process.stderr.write(`${message}\n`);
const credentials = new SignInCredentials(
  { key, url },
  { store: new SignInFile(folder), fetch, onProblem },
);
const { authorization } = await credentials.headers();
process.stdout.write(`${authorization}\n`);
await fetch.close();
