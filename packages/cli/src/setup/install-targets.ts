/** Chooses the client files that a command changes. */

import { nearestWord } from '@callsign/config';
import { askSome } from '@callsign/terminal';

import {
  CLIENT_APPS,
  clientCalled,
  placeHere,
  type ClientApp,
} from '../clients/apps/client-app.js';
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

/**
 * Returns one client by name, all found clients, or those that a person chooses. `words`: the words
 * of the command line, where the first may name the client too.
 */
export async function chooseTargets(
  context: Context,
  { client: flagged, all, project = undefined }: TargetOptions,
  words: readonly string[],
  question: string,
): Promise<FoundFile[]> {
  const [named] = words;
  if (named !== undefined && flagged !== undefined) {
    throw usageFailure('Name the client once: as a word or with --client.');
  }
  const client = named ?? flagged;
  if (client !== undefined && all) throw usageFailure('Name one client or use --all, not both.');
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

const KNOWN = `Clients: ${CLIENT_APPS.map(({ id }) => id).join(', ')}.`;

/** The clients that have a file in this scope. */
export function foundTargets(context: Context, isProject: boolean): FoundFile[] {
  const place = placeHere(context);
  return findClientFiles(place).filter(({ app, file }) => {
    return file === app.files(place)[isProject ? 1 : 0];
  });
}

function targetOf(context: Context, app: ClientApp, isProject: boolean): FoundFile {
  const [user = '', ofProject] = app.files(placeHere(context));
  if (!isProject) return { app, file: user };
  if (ofProject !== undefined) return { app, file: ofProject };
  throw usageFailure(`${app.label} has no file for a project. Leave out --project.`);
}

function appCalled(client: string): ClientApp {
  const app = clientCalled(client);
  if (app) return app;
  const nearest = nearestWord(
    client,
    CLIENT_APPS.map(({ id }) => id),
  );
  const hint = nearest === undefined ? '' : ` Did you mean: ${nearest}?`;
  throw usageFailure(`There is no client "${client}".${hint} ${KNOWN}`);
}
