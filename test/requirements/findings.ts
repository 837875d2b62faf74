/** Problems that reviews of the product found and that are fixed. Each has a test whose title cites the id. */

export interface Finding {
  readonly id: string;
  /** The rule that applies now. */
  readonly says: string;
}

/** N, M: first hours; D, R: real servers and clients; F, G: faults; V, W: security; A, B: adapters; K: code; L: instances; S: mission. */
const SAYS: readonly (readonly [id: string, says: string])[] = [
  ['N1', 'One bad entry makes one server unavailable, never the gateway.'],
  ['N2', 'Tools of a plain file are distinguished: tools that read are not labelled destructive.'],
  ['N3', 'Trust in claims and the lock file have different names and commands.'],
  ['N4', 'A deletion needs one confirmation, and then it is done.'],
  ['N5', 'The showcase reports its port and its servers correctly from the start.'],
  ['N6', 'A call that waits for an approval says where it waits and how to answer.'],
  ['N7', 'The configuration is found: the flag, the project, the user.'],
  ['N8', 'Imported servers get keys that every client shows unchanged.'],
  ['N9', 'Tables shorten the name last, and words wrap.'],
  ['N10', 'A dry run of install shows what would be written, in the format of the file.'],
  ['N11', 'Install moves the servers that Callsign serves, into every client or one.'],
  ['N12', "A tool whose name contains its server's key is shown without the repetition."],
  ['N13', 'The spinner of doctor leaves no trace, and doctor does not recommend itself.'],
  ['N14', 'Groups of commands have help, and help COMMAND works.'],
  ['N15', 'A client is listed once if both its files are the same file.'],
  ['N16', 'Passwords in URLs are not printed.'],
  ['N17', 'JSON is readable on a terminal and compact in a pipe.'],
  ['N18', 'A misspelled argument is named, with a suggestion.'],
  ['N19', 'A misspelled tool or server is named, with a suggestion.'],
  ['N20', 'Serve shows a live log, and status shows URL, uptime and clients.'],
  ['N21', 'Each meaning has one colour, and times are local on a terminal.'],
  ['N22', 'Lint groups its findings by rule, with a count.'],
  ['N23', 'The page on security makes keys with the command for it.'],
  ['N24', 'The toolkit says what is missing, and takes a string as a result.'],
  ['N25', "An adapter's problems are all found at once."],
  [
    'N26',
    'Doctor shows a failed list as a failure, with the last output of the server, and each warning once.',
  ],
  [
    'N27',
    'There are pages about troubleshooting, Docker, upgrades, terms and alternatives, and a recording.',
  ],
  ['N28', 'The page for authors of servers begins with the line that installs the toolkit.'],
  ['N29', 'A syntax error says what is unexpected and what was expected.'],
  ['D1', 'Claims of servers count, and labels show their evidence.'],
  ['D2', 'Clients are known by the names that they announce.'],
  ['D3', 'A server that starts or is down is listed and says so; calls wait for it.'],
  ['D6', 'At most one name in twenty has a fingerprint.'],
  ['D8', 'Output about many servers stays short.'],
  [
    'D9',
    'Titles do not repeat their server, and a missing list that a server announced is no warning.',
  ],
  ['D10', 'Settings hold for all servers, tools are searched over all, and counted by server.'],
  ['D14', 'The wait for the first list counts from the request; remembered lists do not wait.'],
  ['D15', 'A start announces changed lists at most once, after all servers have started.'],
  ['D16', 'The benchmark measures what a start with many servers costs, and holds limits on it.'],
  ['D17', 'After a crash tools stay listed, and the next call waits.'],
  ['F1', 'A server that pages without end is stopped within limits.'],
  ['F2', 'A client that does not read is dropped, and its memory is freed.'],
  ['F3', 'Too few descriptors raise no false alarm, and idle connections are limited.'],
  ['F4', 'A list that fails is a failure everywhere; one bad tool is left out alone.'],
  ['F5', 'A server that starts or was given up is unavailable, not unknown.'],
  ['F6', 'A call that is lost while it runs has an unknown effect, and its error says so.'],
  ['F7', 'If the state folder cannot be written, only remembered lists are lost.'],
  ['F8', 'A server that prints much never waits for us.'],
  ['F9', 'An answer that is too long has the same code over stdio and HTTP.'],
  ['F10', 'Large lists do not stop the event loop.'],
  ['F11', 'A byte order mark loses no message, and noise is counted.'],
  ['F12', 'Errors of JSON-RPC are those of the specification on both transports.'],
  ['F13', 'A clock that jumps deletes no records.'],
  ['F14', 'Two encodings of one name of the same server are not withheld.'],
  ['F15', 'Clients are notified of changed lists at most twice per second.'],
  ['F16', 'A request that the client gives up is cancelled at the server.'],
  ['F17', 'Records that were lost at exit are reported at the next start.'],
  ['V1', "A role's denial of a resource holds for templates and every spelling."],
  ['V2', 'Log messages of a call reach its caller alone.'],
  ['V3', "A hidden server cannot ask a caller's client."],
  ['V4', 'Nothing is offered before it was checked.'],
  ['V5', 'A question shows what will run, and says what it hides.'],
  ['V6', 'Views show only what the caller may use.'],
  ['V7', 'Keys that differ only in case or form count as one key in rules.'],
  ['V8', 'After a wait every decision is made again.'],
  ['V9', 'A document cannot choose the secret that is sent.'],
  ['V10', 'No field of a record holds a secret.'],
  ['V11', 'Subscriptions deliver nothing of hidden resources.'],
  ['V12', 'Web pages of other origins need to be allowed.'],
  ['V13', 'Servers of a project run only after a person has agreed.'],
  ['V14', 'The lock file covers whole definitions, of prompts and templates too.'],
  ['V15', 'Metadata addresses are always blocked, and backups never follow links.'],
  ['V16', 'Pages name the package that is ours.'],
  ['V17', 'The page on security says what a process of the same user can do, and what helps.'],
  ['V18', 'Hidden characters of servers are made visible.'],
  ['V19', 'Tokens of another type, or bound to a key, are refused.'],
  ['A1', 'An imported write cannot be called before its review.'],
  ['A2', 'A GET that writes needs a review.'],
  ['A3', 'New operations of a reviewed file need a review.'],
  ['G1', 'No code is run from a folder that another user may have made.'],
  ['G16', 'The command keeps no compiled code.'],
  ['M18', 'The showcase checks its port before it installs and compiles.'],
  ['M19', 'The showcase keeps its state in a folder of the user.'],
  ['G20', 'A copied or moved clone runs its own bundle.'],
  [
    'G21',
    'The tests pass for root in a private folder, and say in one line what a machine cannot run.',
  ],
  ['R1', 'A server that asks for roots during calls of several clients answers all of them.'],
  ['G6', 'A server cannot answer a request that it has not read.'],
  ['G9', 'A call ends with its client, however much progress it reports.'],
  ['K1', 'The breaker learns from replies and failures of the server alone.'],
  ['K3', 'A changed server that cannot be started does not end the one that runs.'],
  ['K4', 'Nothing is sent for a call after its time is up.'],
  ['K5', 'A token is accepted at the call as long as at the door.'],
];

export const FINDINGS: readonly Finding[] = SAYS.map(([id, says]) => ({ id, says }));

/** An id that a title cites is at its beginning or in a list: `V4: …`, `D3, D14: …`, `(N1)`. */
const CITED = /\b([NDFVAGMRKWBLS]\d{1,2})(?=[,:)])/g;

export function findingsIn(title: string): readonly string[] {
  return Array.from(title.matchAll(CITED), ([, id]) => id!);
}
