/** Chooses the client files that a command changes. */

import { askSome } from '@callsign/terminal';

import { CLIENT_APPS, placeHere, type ClientApp } from '../clients/apps/client-app.js';
import { findClientFiles, type FoundFile } from '../clients/files/client-file.js';
import type { Context } from '../command/command.js';
import { usageFailure } from '../command/failure.js';

export interface TargetOptions {
  readonly client?: string;
  /** Every client that has a file on this machine. */
  readonly all?: true;
  /** The file of the project in this folder, not the user's. */
  readonly project?: true;
}

/** Returns one client by name, all found clients, or those that a person chooses. */
export async function chooseTargets(
  context: Context,
  { client, all, project = undefined }: TargetOptions,
  question: string,
): Promise<FoundFile[]> {
  if (client !== undefined && all) throw usageFailure('--client and --all exclude each other.');
  const isProject = project === true;
  if (client !== undefined) return [targetOf(context, appCalled(client), isProject)];
  const found = foundTargets(context, isProject);
  if (all || (found.length > 0 && context.isInteractive)) {
    if (found.length === 0) throw usageFailure(`No client was found. ${KNOWN}`);
    if (all) return found;
    const labels = found.map(({ app }) => app.label);
    const chosen = new Set(await askSome(question, labels));
    return found.filter(({ app }) => chosen.has(app.label));
  }
  throw usageFailure(`Say which client, or --all. ${KNOWN}`);
}

const KNOWN = `--client takes ${CLIENT_APPS.map(({ id }) => id).join(', ')}.`;

/** The clients that have a file in this scope. */
export function foundTargets({ env }: Context, isProject: boolean): FoundFile[] {
  const place = placeHere(env);
  return findClientFiles(place).filter(({ app, file }) => {
    return file === app.files(place)[isProject ? 1 : 0];
  });
}

function targetOf({ env }: Context, app: ClientApp, isProject: boolean): FoundFile {
  const [user = '', ofProject] = app.files(placeHere(env));
  if (!isProject) return { app, file: user };
  if (ofProject !== undefined) return { app, file: ofProject };
  throw usageFailure(`${app.label} has no file for a project. Leave out --project.`);
}

function appCalled(client: string): ClientApp {
  const app = CLIENT_APPS.find(({ id }) => id === client);
  if (app) return app;
  throw usageFailure(`There is no client "${client}". ${KNOWN}`);
}
