/** The log of `callsign serve` on a terminal: one line for each event, with the local time. */

import {
  createLog,
  isFailure,
  type EndedCall,
  type Log,
  type LogLevel,
  type Module,
  type CallsignErrorCode,
} from '@callsign/core';
import {
  clockTime,
  counted,
  createPaint,
  hanging,
  onOneLine,
  printable,
  shownDuration,
  wantsColour,
  type Meaning,
  type Paint,
} from '@callsign/terminal';

export { outcomeMeaning };

interface LiveLogOptions {
  readonly stream: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly verbose: boolean;
}

/** The facts of the line that says that the gateway is ready. */
export interface ReadyGateway {
  readonly servers: readonly { readonly state: { readonly is: string } }[];
  readonly tools: number;
  /** The address of the HTTP listener, if there is one. */
  readonly url: string | undefined;
}

/** The widest word is `approval`. */
const WORD_WIDTH = 9;
/** Different messages that are shown about one server until it is ready again. */
const MAX_SHOWN = 100;
/** The time, the word and the spaces between them. */
const INDENT: string = ' '.repeat('00:00:00 '.length + WORD_WIDTH);

const LEVEL_MEANINGS: Readonly<Record<LogLevel, Meaning>> = {
  debug: 'aside',
  info: 'aside',
  warning: 'warning',
  error: 'bad',
};

/**
 * Gets calls as a module, and everything else through `log`. It shows a repeated message about a
 * server once, until that server is ready again.
 */
export class LiveLog {
  readonly log: Log;
  /** Observes calls. */
  readonly module: Module<never> = {
    name: 'live-log',
    create: () => ({ observe: { end: (ended) => this.#call(ended) } }),
  };
  readonly #stream: NodeJS.WriteStream;
  readonly #paint: Paint;
  readonly #startedAt = Date.now();
  #calls = 0;
  #failures = 0;
  /** What was shown about each server since it was last ready. */
  readonly #shown = new Map<string, Set<string>>();

  constructor({ stream, env, verbose }: LiveLogOptions) {
    this.#stream = stream;
    this.#paint = createPaint(wantsColour(env, stream));
    this.log = createLog(verbose ? 'debug' : 'info', (level, message) => {
      const [, server, text] = /^\[([^\]]+)\] +(.*)$/s.exec(message) ?? [];
      if (server === undefined) return this.#line(level, LEVEL_MEANINGS[level], message);
      if (verbose || this.#isNew(server, level, text!)) {
        this.#line('server', LEVEL_MEANINGS[level], `${server}: ${text}`);
      }
    });
  }

  /**
   * A server that fails again and again logs the same each time. It is shown once until it is ready
   * again.
   */
  #isNew(server: string, level: LogLevel, text: string): boolean {
    if (level === 'info') this.#shown.delete(server);
    const shown = this.#shown.get(server) ?? new Set<string>();
    this.#shown.set(server, shown);
    const known = text.replace(/(?<!\d)\d+ ms/, '');
    if (shown.has(known) || shown.size >= MAX_SHOWN) return false;
    shown.add(known);
    return true;
  }

  /** Writes the line that says that every server has started or failed. */
  ready({ servers, tools, url }: ReadyGateway): void {
    const up = servers.filter(({ state }) => state.is === 'ready');
    const all = counted(servers.length, 'server');
    const count = up.length === servers.length ? all : `${up.length} of ${all}`;
    const where = url === undefined ? '' : `${url}  `;
    this.#line('ready', 'good', `${where}${count}, ${counted(tools, 'tool')}`);
  }

  approval(text: string): void {
    this.#line('approval', 'warning', text);
  }

  /** Writes the last line, with the number of calls. */
  goodbye(): void {
    const failures = this.#failures === 0 ? '' : `, ${this.#failures} without success`;
    const time = shownDuration(Date.now() - this.#startedAt);
    const text = `stopped after ${time}, ${counted(this.#calls, 'call')}${failures}`;
    this.#line('goodbye', 'aside', text);
  }

  #call({ call: { caller, target, name }, outcome, ms }: EndedCall): void {
    this.#calls++;
    if (isFailure(outcome)) this.#failures++;
    const parts: (readonly [text: string, tint?: Meaning])[] = [
      [onOneLine(target?.canonical ?? name), 'name'],
      ...(target?.kind === 'tool' ? [[target.risk, target.risk] as const] : []),
      [outcome, outcomeMeaning(outcome)],
      [`${Math.round(ms)} ms`],
      [onOneLine(caller.principal?.name ?? caller.client.name), 'aside'],
    ];
    const painted = parts.map(([text, tint]) => (tint ? this.#paint(tint, text) : text));
    this.#line('call', 'aside', parts.map(([text]) => text).join('  '), painted.join('  '));
  }

  /** `painted`: the same text with colours, for a line that fits. */
  #line(word: string, tint: Meaning, text: string, painted?: string): void {
    const columns = this.#stream.columns || 80;
    const plain = printable(text);
    const fits = INDENT.length + plain.length <= columns;
    const shown = fits && painted !== undefined ? painted : hanging(plain, columns, INDENT);
    const time = this.#paint('aside', clockTime(new Date()));
    this.#stream.write(`${time} ${this.#paint(tint, word.padEnd(WORD_WIDTH))}${shown}\n`);
  }
}

/** The call was not made, or its caller cancelled it. Every other outcome except success is a failure. */
const REFUSALS: readonly CallsignErrorCode[] = [
  'access-denied',
  'account-needed',
  'call-cancelled',
  'credential-needed',
  'limit-reached',
  'not-approved',
  'not-recorded',
  'policy-denied',
  'server-resting',
];

/** Refused and cancelled calls are warnings. Only failures are bad. */
function outcomeMeaning(outcome: string): Meaning {
  if (!isFailure(outcome)) return 'good';
  return REFUSALS.some((code) => code === outcome) ? 'warning' : 'bad';
}
