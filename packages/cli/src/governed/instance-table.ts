/** Shows all instances that share the storage of a configuration, and makes them reload. */

import { setTimeout as sleep } from 'node:timers/promises';

import { configurationHash, surveyInstances, type SurveyedInstance } from '@callsign/gateway/host';
import { type KnownInstance, SILENCE_MS } from '@callsign/instances';
import { type Column, counted, shownDuration } from '@callsign/terminal';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { requireConfig } from '../config-file/required-config.js';
import { storageOf } from '../config-file/shared-storage.js';

/** How long `reload --all` waits for all instances. */
const RELOAD_MS = 20_000;
const LOOK_MS = 250;
/** Letters of a hash that people compare. */
const SHOWN_HASH = 12;

/** The exit code is not 0 if an instance runs another configuration than this file, or cannot use its own file. */
export async function showInstances(context: Context): Promise<number> {
  const { json, out, say } = context;
  const storage = await storageOf(context);
  try {
    const hash = configurationHash(await requireConfig(context));
    const known = await surveyInstances(storage, hash);
    const instances = known.filter(({ state }) => state !== 'gone');
    if (json) out.json({ configuration: hash, instances });
    else if (instances.length === 0) say('No instance runs.');
    else write(context, instances);
    return instances.every(isAsTheFile) ? EXIT.ok : EXIT.config;
  } finally {
    await storage.close();
  }
}

/** Gives the order and waits until all instances run the file as it is now. */
export async function reloadInstances(context: Context): Promise<number> {
  const { json, out, say, file } = context;
  const storage = await storageOf(context);
  try {
    const hash = configurationHash(await requireConfig(context));
    const count = await storage.orders.give('reload');
    const end = Date.now() + RELOAD_MS;
    for (;;) {
      const known = await storage.directory.known();
      const instances = known.filter(({ silentMs }) => silentMs < SILENCE_MS);
      // An instance that cannot read its file may still run the same configuration as this file.
      const isDone = ({ report }: KnownInstance): boolean => (report?.reloads ?? count) >= count;
      const behind = instances.filter(
        (each) => !isDone(each) || hasProblem(each) || each.configuration !== hash,
      );
      if (behind.length === 0) {
        if (json) out.json({ file, instances: instances.map(({ id }) => id) });
        else say(`${counted(instances.length, 'instance')} ${verb(instances.length)} ${file}.`);
        return EXIT.ok;
      }
      const isHopeless = behind.every((each) => isDone(each) && hasProblem(each));
      if (isHopeless || Date.now() > end) throw notAll(file, behind);
      await sleep(LOOK_MS);
    }
  } finally {
    await storage.close();
  }
}

function hasProblem({ report }: KnownInstance): boolean {
  return report?.configProblem !== undefined;
}

function verb(count: number): string {
  return count === 1 ? 'runs' : 'run';
}

function notAll(file: string, behind: readonly KnownInstance[]): Failure {
  const each = behind.map(({ id, report }) => {
    const name = report ? `${id} on ${report.host}` : id;
    return report?.configProblem ? `${name} (its file: ${report.configProblem})` : name;
  });
  const message = `These instances do not run the current ${file}: ${each.join(', ')}. Their file may differ, or have problems. See: callsign status --all`;
  return new Failure({ exit: EXIT.config, code: 'configurations-differ', message });
}

/** Whether it runs this configuration, and can use its file. */
function isAsTheFile({ isCurrent, configProblem }: SurveyedInstance): boolean {
  return isCurrent && configProblem === undefined;
}

const PROBLEM: Column<SurveyedInstance> = {
  title: 'PROBLEM OF ITS FILE',
  text: ({ configProblem = '' }) => configProblem,
  tint: () => 'bad',
};

function write({ out, say }: Context, instances: readonly SurveyedInstance[]): void {
  out.table(instances, [
    { title: 'INSTANCE', text: ({ id }) => id, tint: () => 'name', isWhole: true },
    { title: 'ADDRESS', text: ({ address }) => address, isOptional: true },
    {
      title: 'STATE',
      text: ({ state }) => state,
      tint: ({ state }) => (state === 'ready' ? 'good' : 'warning'),
    },
    { title: 'VERSION', text: ({ version }) => version },
    { title: 'UP', text: ({ startedAt }) => shownDuration(Date.now() - Date.parse(startedAt)) },
    {
      title: 'CONFIGURATION',
      text: ({ configuration }) => configuration.slice(0, SHOWN_HASH),
      tint: ({ isCurrent }) => (isCurrent ? undefined : 'bad'),
    },
    { title: 'CALLS/S', text: ({ callsPerSecond = '' }) => String(callsPerSecond) },
    { title: 'RUNS ALONE', text: ({ leases }) => leases.join(', '), isOptional: true },
    ...(instances.some(({ configProblem }) => configProblem) ? [PROBLEM] : []),
  ]);
  const others = instances.filter((instance) => !isAsTheFile(instance)).length;
  if (others > 0) {
    say(
      `${counted(others, 'instance')} ${others === 1 ? 'does' : 'do'} not run the current file. To make all of them read it again: callsign reload --all`,
    );
  }
}
