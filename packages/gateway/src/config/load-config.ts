/** Loads a configuration from a file, with the secrets that it names. Does not load modules: that would run their code. */

import { withoutBom } from '@callsign/core';

import type { ConfigResult } from './gateway-config.js';
import { parseConfig } from './parse-config.js';
import { readSecrets } from '../secrets/read-secrets.js';
import {
  fileProblem,
  readJson,
  NotAFile,
  readPlainFile,
  utf8Text,
  type ConfigProblemCode,
} from '@callsign/config';
import type { Environment } from '@callsign/config';

/** How strictly a file is read, and with which variables. */
export interface LoadOptions {
  /** The environment variables. Default: those of this process. */
  readonly env?: Environment;
  /** A bad entry makes one server unavailable, as long as another one is left. */
  readonly isLenient?: boolean;
  /** The content of the file, if it was read already. What a person accepted must be what runs. */
  readonly bytes?: Uint8Array | undefined;
}

/** Never rejects: a file that cannot be read is a problem like any other. */
export async function loadConfig(
  file: string,
  { env = process.env, isLenient = false, bytes }: LoadOptions = {},
): Promise<ConfigResult> {
  const read = await readConfigFile(file, bytes);
  if (typeof read !== 'string') return read;
  const secrets = await readSecrets(readJson(withoutBom(read)), file, env);
  return parseConfig(read, { file, env, secrets, isLenient });
}

/** The text of the file, or why it cannot be read. */
export async function readConfigFile(file: string, given?: Uint8Array): Promise<string | Unread> {
  let bytes: Uint8Array;
  try {
    bytes = given ?? (await readPlainFile(file));
  } catch (error) {
    if (error instanceof NotAFile) return notAFile(file, error);
    return unreadable(file, (error as NodeJS.ErrnoException).code);
  }
  const text = utf8Text(bytes);
  return text ?? failure(file, 'file-not-utf8', 'is not UTF-8 text', 'save it as UTF-8');
}

type Unread = Extract<ConfigResult, { readonly ok: false }>;

function notAFile(file: string, { kind }: NotAFile): Unread {
  return kind === 'a folder'
    ? failure(file, 'file-is-directory', 'is a folder', 'name the file in it')
    : failure(file, 'file-unreadable', `is ${kind}, not a file`, 'check the path');
}

function unreadable(file: string, code: string | undefined): Unread {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return failure(file, 'file-not-found', 'does not exist', 'check the path');
    case 'EACCES':
    case 'EPERM':
      return failure(
        file,
        'file-unreadable',
        'cannot be read by this user',
        'give this user permission to read it',
      );
    case 'ELOOP':
      return failure(file, 'file-unreadable', 'is a link to itself', 'name the file itself');
    default:
      return failure(file, 'file-unreadable', `cannot be read (${code})`, 'check the path');
  }
}

function failure(file: string, code: ConfigProblemCode, message: string, advice: string): Unread {
  return { ok: false, problems: [fileProblem(code, file, message, advice)] };
}
