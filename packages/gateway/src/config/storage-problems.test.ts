import { expect, it } from 'vitest';

import { configOf, fileWithSettings, linesOf, problemsOf } from './testing/problems-of.js';

const SECRETS = '"storage": {"postgres": "postgres://db/x", "secrets": ["${SECRET}"]}';

it.each([
  '{"auth": {"sharedKeys": true}}',
  `{"auth": {"sharedKeys": true}, ${SECRETS.replace(/, "secrets".*/, '}')}}`,
])('shared API keys need a database and a secret: %s', (settings) => {
  const [line] = linesOf(problemsOf(fileWithSettings(settings)));
  expect(line).toContain('callsign.auth.sharedKeys: needs "storage" with "secrets"');
});

it('shared API keys are enough to ask for credentials', () => {
  const { settings } = configOf(fileWithSettings(`{"auth": {"sharedKeys": true}, ${SECRETS}}`));
  expect(settings.auth).toEqual({ keys: [], sharedKeys: true });
});

it('instances need a database (L7)', () => {
  const instances = '"instances": {"secrets": ["${SECRET}"]}';
  const lines = linesOf(problemsOf(fileWithSettings(`{${instances}}`)));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('callsign.instances: needs "storage" → add the database');
  const { settings } = configOf(fileWithSettings(`{${instances}, ${SECRETS}}`));
  expect(settings.instances).toMatchObject({ secrets: ['${SECRET}'] });
});
