// What a run of the suite came to: who passed, and the page that says so.

/** A scenario passes if nothing failed, nothing was warned of, and something was shown. */
export function passes({ checks, name }, required) {
  const bad = checks.some(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const shown = checks.some(({ status }) => status === 'SUCCESS' || status === 'INFO');
  return !bad && (shown || !required.has(name));
}

/** Sentences about everything that counts and is not as it should be. */
export function shortcomings({ version, scenarios, required }) {
  const ran = new Set(scenarios.map(({ name }) => name));
  return [
    ...[...required]
      .filter((name) => !ran.has(name))
      .map((name) => `${version} ${name} did not run`),
    ...scenarios
      .filter((scenario) => required.has(scenario.name) && !passes(scenario, required))
      .flatMap(({ name, checks }) =>
        (checks.length === 0 ? [{ id: 'nothing was checked' }] : checks)
          .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
          .map(({ id, status = '', errorMessage = '' }) =>
            `${version} ${name}: ${id} ${status} ${errorMessage}`.trim(),
          ),
      ),
  ];
}

/** The page for docs/. It has no date, so that it changes only when the results do. */
export function pageOf(suite, runs) {
  const names = (counts) => [
    ...new Set(
      runs.flatMap(({ scenarios, required }) =>
        scenarios.filter(({ name }) => required.has(name) === counts).map(({ name }) => name),
      ),
    ),
  ];
  const table = (counts) => {
    const rows = names(counts).map((name) => {
      const cells = runs.map((run) => cellOf(run, name, counts));
      return `| ${[`\`${name}\``, ...cells].join(' | ')} |`;
    });
    const versions = runs.map(({ version }) => version);
    return [
      `| ${['scenario', ...versions].join(' | ')} |`,
      `| ${['---', ...versions.map(() => '---')].join(' | ')} |`,
      ...rows,
    ].join('\n');
  };
  const totals = runs.map(({ version, scenarios, required }) => {
    const counted = scenarios.filter(({ name }) => required.has(name));
    const passed = counted.filter((scenario) => passes(scenario, required));
    return `- ${version}: ${passed.length} of ${required.size} scored scenarios pass.`;
  });
  return `# Conformance

Written by \`npm run conformance\`; do not edit.

The official suite, \`@modelcontextprotocol/conformance\` ${suite}, run against \`callsign serve\`: one gateway in
one configuration ([conformance/callsign.json](../conformance/callsign.json)), the fixture
\`test/fixtures/everything.mjs\` on stdio behind it. Both protocol eras in the same process, and no file of
expected failures. A number is the count of checks that passed; a warning counts as a failure.

${totals.join('\n')}

## Scored

${table(true)}

## Run, and not scored

The suite does not count these: they are of an optional extension, still pending, or younger than the
version. The \`tasks-*\` scenarios need the tasks extension, which the fixture does not offer.

${table(false)}
`;
}

function cellOf({ scenarios, required }, name, counts) {
  const scenario = scenarios.find((each) => each.name === name);
  if (!scenario || required.has(name) !== counts) return '–';
  const passed = scenario.checks.filter(({ status }) => status === 'SUCCESS').length;
  const word = passes(scenario, required) ? 'pass' : counts ? '**fail**' : 'no';
  const figure = word === 'pass' && passed > 0 ? ` (${passed})` : '';
  return `${word}${figure}${scenario.reason ? `, ${scenario.reason}` : ''}`;
}
