/** The audit log that a command reads: where it is, and which of its records are wanted. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { loadConfig } from '@callsign/gateway';
import { defaultAuditFile, openAuditReader, SEVERITIES } from '@callsign/audit/query';
import type { AuditFilter, AuditReader, Severity } from '@callsign/audit/query';
import type { Command } from 'commander';

import type { Context } from '../command/command.js';
import { configFailure } from '../config-file/config-text.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';
import { homeIn } from '../fleet/catalogue.js';

export interface LogOptions {
  readonly config?: string;
  readonly file?: string;
}

export interface FilterOptions {
  readonly since?: string;
  readonly tool?: string;
  readonly severity?: string;
  readonly outcome?: string;
  readonly caller?: string;
}

export interface OpenLog {
  readonly file: string;
  readonly reader: AuditReader;
}

export function describeLog(line: Command): Command {
  return line.option('--file <file>', 'the log, instead of the one of the configuration');
}

export function describeFilter(line: Command): Command {
  return line
    .option('--since <time>', 'from then on: a date such as 2026-11-15, or 30m, 2h, 7d ago')
    .option('--tool <glob>', 'tools such as "github:*"')
    .option('--severity <severity>', `at least ${SEVERITIES.join(', ')}`)
    .option('--outcome <outcome>', 'how it ended: ok, tool-error, or one of our error codes')
    .option('--caller <name>', 'the name of a principal or of a client');
}

export async function openLog(context: Context, options: LogOptions): Promise<OpenLog> {
  const file =
    options.file === undefined ? await usualFile(context, options) : resolve(options.file);
  if (!existsSync(file)) {
    const message = `There is no audit log at ${file}. It begins with the first call; --file names another.`;
    throw new Failure({ exit: EXIT.usage, code: 'no-audit-log', message });
  }
  try {
    return { file, reader: openAuditReader(file) };
  } catch (error) {
    const message = `The audit log ${file} cannot be read: ${(error as Error).message}.`;
    throw new Failure({ exit: EXIT.usage, code: 'cannot-read', message });
  }
}

/** What was recorded can be read without a configuration, unless one was named. */
async function usualFile({ file, env }: Context, { config }: LogOptions): Promise<string> {
  const loaded = await loadConfig(file, { env });
  if (loaded.ok) return loaded.config.settings.audit.file ?? defaultAuditFile(homeIn(env));
  const isMissing = loaded.problems.some(({ code }) => code === 'file-not-found');
  if (config !== undefined || !isMissing) throw configFailure(file, loaded.problems);
  return defaultAuditFile(homeIn(env));
}

export function filterOf(options: FilterOptions): AuditFilter {
  const { tool, outcome, caller } = options;
  const since = options.since === undefined ? undefined : momentOf(options.since);
  const severity = options.severity === undefined ? undefined : severityOf(options.severity);
  return {
    ...(since === undefined ? {} : { since }),
    ...(tool === undefined ? {} : { tool }),
    ...(severity === undefined ? {} : { severity }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(caller === undefined ? {} : { caller }),
  };
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

function momentOf(text: string): Date {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const time =
    count === undefined ? Date.parse(text) : Date.now() - Number(count) * UNITS.get(unit)!;
  // A bare number is a year to the one and milliseconds to the other.
  if (Number.isNaN(time) || /^\d+$/.test(text)) {
    throw usageFailure(
      `--since takes a date such as 2026-11-15T09:30, or 30m, 2h, 7d, not "${text}".`,
    );
  }
  return new Date(time);
}

function severityOf(text: string): Severity {
  const known = SEVERITIES.find((each) => each === text);
  if (known) return known;
  throw usageFailure(`--severity takes ${SEVERITIES.join(', ')}, not "${text}".`);
}
