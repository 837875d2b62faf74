/** `doctor` and `validate` try the database that a configuration names. */

import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { describePostgres } from '../../testing/postgres.js';
import { BIN } from '../command.js';
import { plain, temporaryFolder, writeConfig } from '../gateway-process.js';

const run = promisify(execFile);
const WRONG = 'a-password-that-is-wrong';

interface Done {
  readonly code: number;
  readonly text: string;
}

describePostgres('the database of a configuration', (postgres) => {
  /** `url`: the value of the variable that the configuration names. */
  async function command(url: string, schema: string, ...words: string[]): Promise<Done> {
    const storage = { postgres: '${DATABASE_URL}', schema };
    const config = writeConfig({ servers: { kid: plain() }, settings: { storage } }, 'tried');
    const env = { ...process.env, DATABASE_URL: url, XDG_STATE_HOME: temporaryFolder() };
    const line = [BIN, ...words, '--config', config];
    const { stdout, stderr, code } = await run(process.execPath, line, { env }).then(
      (done) => ({ ...done, code: 0 }),
      (failed: { stdout: string; stderr: string; code: number }) => failed,
    );
    // Lines are wrapped for people.
    const text = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
    expect(text).not.toContain(WRONG);
    return { code, text };
  }

  it('is tried by doctor and validate, which say that the password is wrong (L6)', async () => {
    const { schema } = await postgres.open();
    const { url } = postgres.server;
    const wrong = new URL(url);
    wrong.password = WRONG;
    const words = 'refuses the user "postgres" or its password';

    expect(await command(url, schema, 'validate')).toMatchObject({ code: 0 });
    const invalid = await command(wrong.href, schema, 'validate');
    expect(invalid.code).toBe(4);
    expect(invalid.text).toContain(words);
    // The file itself can be checked where the database cannot be reached.
    const offline = await command(wrong.href, schema, 'validate', '--offline');
    expect(offline).toMatchObject({ code: 0 });

    const well = await command(url, schema, 'doctor');
    expect(well.code).toBe(0);
    expect(well.text).toContain('pass database: an instance can use it');
    const ill = await command(wrong.href, schema, 'doctor');
    expect(ill.code).toBe(1);
    expect(ill.text).toContain(words);
    // The servers are checked all the same.
    expect(ill.text).toContain('pass kid: start: answers');
  });

  it('is not tried by validate for a file of the folder that was not accepted (L6)', async () => {
    const cwd = temporaryFolder();
    const { schema } = postgres.empty();
    const storage = { postgres: 'postgres://ann:${HOME}@127.0.0.1:1/x', schema };
    const file = writeConfig({ servers: { kid: plain() }, settings: { storage } }, 'tried');
    copyFileSync(file, join(cwd, 'callsign.json'));
    const env = { ...process.env, XDG_STATE_HOME: temporaryFolder() };
    const { stdout, stderr } = await run(process.execPath, [BIN, 'validate'], { env, cwd });
    expect(`${stdout}${stderr}`).toContain('The database was not tried');
  });
});
