// A terminal with a home folder of its own, in which real commands are typed.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { styledLines } from './styled-lines.mjs';

const ROOT = join(import.meta.dirname, '../..');
const COMMAND = join(ROOT, 'packages/cli/bin/callsign.cjs');
export const COLUMNS = 92;
/** Where the configuration of the scene is, from its home folder. */
export const CONFIG = '.config/callsign/callsign.json';

export class Scene {
  #home = mkdtempSync(join(tmpdir(), 'callsign-recording-'));
  #work = join(this.#home, 'work');
  #running;

  /** `files` of its working folder, by name. */
  constructor(config, files = {}) {
    mkdirSync(dirname(join(this.#home, CONFIG)), { recursive: true });
    writeFileSync(join(this.#home, CONFIG), config);
    mkdirSync(this.#work);
    // `npx` finds the servers here, without the network.
    symlinkSync(join(ROOT, 'node_modules'), join(this.#work, 'node_modules'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.#work, name), text);
  }

  /** Starts a gateway, which the commands then use. */
  async serve() {
    const child = spawn(process.execPath, [COMMAND, 'serve', '--http', '0'], {
      ...this.#place,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#running = child;
    await new Promise((resolve, reject) => {
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text) => {
        said += text;
        if (said.includes('listens on')) resolve();
      });
      child.once('exit', () => reject(new Error(`The gateway ended: ${said}`)));
    });
  }

  /** Types a line. `answers`: what a person types when the terminal shows a text. Returns what it shows then. */
  async type(line, answers = []) {
    const callsign = `callsign() { '${process.execPath}' '${COMMAND}' "$@"; }`;
    const shell = `stty cols ${COLUMNS} rows 60; ${callsign}; ${line}`;
    const child = spawn('script', ['-qefc', shell, '/dev/null'], this.#place);
    const left = [...answers];
    let [output, seen] = ['', 0];
    for await (const text of child.stdout.setEncoding('utf8')) {
      output += text;
      const [when, keys] = left[0] ?? [];
      if (when === undefined || !stripVTControlCharacters(output.slice(seen)).includes(when))
        continue;
      left.shift();
      seen = output.length;
      child.stdin.write(keys);
    }
    const status = child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve)));
    if (status !== 0) throw new Error(`${line} ended with ${status}:\n${output}`);
    return styledLines(output.replaceAll(this.#home, '~'), COLUMNS);
  }

  async close() {
    if (this.#running) {
      const ended = new Promise((resolve) => this.#running.once('exit', resolve));
      this.#running.kill('SIGTERM');
      await ended;
    }
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  get #place() {
    const { PATH } = process.env;
    return {
      cwd: this.#work,
      env: { PATH, HOME: this.#home, SHELL: '/bin/bash', TERM: 'xterm' },
    };
  }
}
