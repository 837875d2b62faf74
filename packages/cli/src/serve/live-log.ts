/** The log of `callsign serve` on a terminal: one line for each event, with the local time. */

import { createLog, type EndedCall, type Log, type LogLevel } from '@callsign/core';
import type { Gateway, UserModule } from '@callsign/gateway';
import { clockTime, counted, createPaint, hanging, onOneLine, printable } from '@callsign/terminal';
import { shownDuration, wantsColour, type Paint, type Meaning } from '@callsign/terminal';

import { outcomeMeaning } from '../fleet/outcome-meaning.js';

export interface LiveLogOptions {
  readonly stream: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly verbose: boolean;
}

/** The widest word is `approval`. */
const WORD_WIDTH = 9;
/** The time, the word and the spaces between them. */
const INDENT: string = ' '.repeat('00:00:00 '.length + WORD_WIDTH);

const LEVEL_TINTS: Readonly<Record<LogLevel, Meaning>> = {
  debug: 'aside',
  info: 'aside',
  warning: 'warning',
  error: 'bad',
};

export class LiveLog {
  readonly log: Log;
  /** Observes calls. */
  readonly module: UserModule = {
    module: {
      name: 'live-log',
      create: () => ({ observe: { end: (ended) => this.#call(ended) } }),
    },
  };
  readonly #stream: NodeJS.WriteStream;
  readonly #paint: Paint;
  readonly #startedAt = Date.now();
  #calls = 0;
  #failures = 0;

  constructor({ stream, env, verbose }: LiveLogOptions) {
    this.#stream = stream;
    this.#paint = createPaint(wantsColour(env, stream));
    this.log = createLog(verbose ? 'debug' : 'info', (level, message) => {
      this.#line(level, LEVEL_TINTS[level], message);
    });
  }

  /** Writes a message that is no event, such as a complaint. */
  write(text: string): void {
    this.#stream.write(`${printable(text)}\n`);
  }

  /** Every server has started or failed. */
  ready(gateway: Gateway, url: string | undefined): void {
    const servers = gateway.status();
    const up = servers.filter(({ state }) => state.is === 'ready');
    const tools = gateway.hub.entries('tool').size;
    const all = counted(servers.length, 'server');
    const count = up.length === servers.length ? all : `${up.length} of ${all}`;
    const where = url === undefined ? '' : `${url}  `;
    this.#line('ready', 'good', `${where}${count}, ${counted(tools, 'tool')}`);
  }

  approval(text: string): void {
    this.#line('approval', 'warning', text);
  }

  goodbye(): void {
    const failures = this.#failures === 0 ? '' : `, ${this.#failures} without success`;
    const time = shownDuration(Date.now() - this.#startedAt);
    const text = `stopped after ${time}, ${counted(this.#calls, 'call')}${failures}`;
    this.#line('goodbye', 'aside', text);
  }

  #call({ call: { caller, target, name }, outcome, ms }: EndedCall): void {
    this.#calls++;
    if (outcome !== 'ok') this.#failures++;
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
