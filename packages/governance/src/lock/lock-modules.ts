/** The lock file and the quarantine as modules. Both decide which tools are listed. */

import type { Call, Decision, Module } from '@callsign/core';
import type { Trust } from '@callsign/effects';

import type { LockMode, QuarantineMode } from './lock-settings.js';
import { fileLock, type LockStore } from './lock-store.js';
import { LockedTools, type LockRules } from './locked-tools.js';
import { QuarantinedTools } from './quarantined-tools.js';
import type { ToolNote } from './tool-notes.js';

interface LockSettings {
  readonly mode: LockMode;
  /** The lock file, beside the configuration. */
  readonly file: string;
}

interface QuarantineSettings {
  readonly mode: QuarantineMode;
  /** How far each server's claims are believed. */
  readonly trust: Readonly<Record<string, Trust>>;
}

/** Two modules, and the notes of both. */
export interface LockModules {
  readonly lock: Module<LockSettings>;
  readonly quarantine: Module<QuarantineSettings>;
  /** All notes about tools. */
  notes(): readonly ToolNote[];
}

/**
 * Lists are checked when they are read. A tool may change while a call waits, so calls are checked
 * too.
 */
function refusal(admitted: true | string): Decision | undefined {
  return admitted === true ? undefined : { decision: 'deny', rule: admitted };
}

/**
 * Created together: the quarantine must not suspect the names of tools in the lock file. `storeAt`
 * returns the store for the path of a lock file.
 */
export function lockModules(storeAt: (file: string) => LockStore = fileLock): LockModules {
  // The latest ones. On a reload, the ones before are closed after the new ones are created.
  let locked: LockedTools | undefined;
  let quarantined: QuarantinedTools | undefined;
  return {
    notes: () => [...(locked?.notes() ?? []), ...(quarantined?.notes() ?? [])],
    lock: {
      name: 'lock',
      create({ settings, servers, log, refresh }) {
        if (settings.mode === 'off') return undefined;
        const tools = new LockedTools(log, refresh, () => quarantined?.judge());
        locked = tools;
        const rulesOf = ({ mode, file }: LockSettings, configured: typeof servers): LockRules => ({
          mode,
          store: storeAt(file),
          servers: configured.map(({ key }) => key),
        });
        return {
          watch: (server, source) => tools.watch(server, source),
          admits: (target) => tools.admits(target),
          admitsText: (server, text) => tools.admitsText(server, text),
          decide: ({ target }) => refusal(tools.admits(target!)),
          open: () => tools.apply(rulesOf(settings, servers)),
          reload: (changed) => {
            if (changed.settings.mode === 'off') return false;
            try {
              tools.apply(rulesOf(changed.settings, changed.servers));
            } catch (error) {
              log(
                'error',
                `${(error as Error).message} The tools that were accepted before stay accepted.`,
              );
            }
            return true;
          },
          close: () => {
            tools.close();
            if (locked === tools) locked = undefined;
          },
        };
      },
    },
    quarantine: {
      name: 'quarantine',
      create({ settings, servers, log, refresh }) {
        if (settings.mode === 'off') return undefined;
        const tools = new QuarantinedTools(log, refresh);
        quarantined = tools;
        const rulesOf = (
          { mode, trust }: QuarantineSettings,
          configured: typeof servers,
        ): Parameters<typeof tools.apply>[0] => ({
          mode,
          accepted: (server) => locked?.accepted(server),
          servers: configured.map(({ key }) => ({ key, trust: trust[key]! })),
        });
        tools.apply(rulesOf(settings, servers));
        return {
          watch: (server, source) => tools.watch(server, source),
          admits: (target) => tools.admits(target),
          admitsText: (server, text) => tools.admitsText(server, text),
          settled: () => tools.settled(),
          ...(settings.mode === 'on'
            ? { decide: ({ target }: Call) => refusal(tools.admits(target!)) }
            : {}),
          reload: (changed) => {
            const { mode } = changed.settings;
            if (mode === 'off' || (mode === 'on') !== (settings.mode === 'on')) return false;
            tools.apply(rulesOf(changed.settings, changed.servers));
            return true;
          },
          close: () => {
            tools.close();
            if (quarantined === tools) quarantined = undefined;
          },
        };
      },
    },
  };
}
