// The results of a run of the suite, and the page about them.

/** A scenario passes if it has at least one check, no failure and no warning. */
export function passes(scenario) {
  const { checks } = scenario;
  const bad = checks.some(({ status }) => status === 'FAILURE' || status === 'WARNING');
  return !bad && ran(scenario);
}

/** A scenario without a single check has not run, even if the suite says that it passed. */
function ran({ checks }) {
  return checks.some(({ status }) => status !== 'SKIPPED' && status !== 'INFO');
}

/** A sentence for every scored scenario that did not pass. */
export function shortcomings({ config, version, scenarios, required }) {
  const known = new Set(scenarios.map(({ name }) => name));
  return [
    ...[...required]
      .filter((name) => !known.has(name))
      .map((name) => `${config} ${version} ${name} did not run`),
    ...scenarios
      .filter((scenario) => required.has(scenario.name) && !passes(scenario))
      .flatMap(({ name, checks }) =>
        (checks.length === 0 ? [{ id: 'nothing was checked' }] : checks)
          .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
          .map(({ id, status = '', errorMessage = '' }) =>
            `${config} ${version} ${name}: ${id} ${status} ${errorMessage}`.trim(),
          ),
      ),
    ...scenarios
      .filter(({ isExpected = true }) => !isExpected)
      .map(({ name }) => `${config} ${version} ${name} did not end as expected`),
  ];
}

/** The page for docs/. It has no date, so that it changes only when the results do. */
export function pageOf(suite, runs, signIns, expected) {
  const of = (config) => runs.filter((run) => run.config === config);
  const clients = signIns.filter(({ config }) => config === 'client');
  const own = signIns.find(({ config }) => config === 'sign-in');
  const [plain, clash] = [of('callsign.json'), of('clash.json')];
  return `# Conformance

Written by \`npm run conformance\`; do not edit.

Does MCP still work through the gateway? \`npm run conformance\` runs the official MCP suite,
\`@modelcontextprotocol/conformance\` ${suite}, against \`callsign serve\`, and writes this page.

- The suite runs with two configurations. In each, one gateway process serves both protocol eras.
- \`pass (3)\` means that the scenario passed with three checks. A warning counts as a failure. A scenario without a check
  counts as not run.
- Servers have no list of expected failures. [Signing in to servers](#signing-in-to-servers) has one.

## With the names that the suite expects

The suite calls tools by fixed names. So [conformance/callsign.json](../conformance/callsign.json) sets
\`"profile": "identity"\` and \`"titles": false\`. It serves two fixtures on stdio: \`test/fixtures/everything.mjs\` and
\`test/fixtures/extended-child.mjs --tasks\`.

${totalsOf(plain)}

### Scored

${tableOf(plain, true)}

### Run, and not scored

The suite does not count these scenarios: they belong to an optional extension, are pending, or were added after this
version of the protocol.

${tableOf(plain, false)}

## With default names and two copies of every server

[conformance/clash.json](../conformance/clash.json) serves each fixture twice, so that all tools, prompts, resources and task
ids clash. Clients see the default names, \`server:tool\`. Aliases let the suite call its own names. \`tools-list\` and
\`json-schema-2020-12\` are not scored here, because they check the listed names.

${totalsOf(clash)}

Every scenario ends as above, except:

${differencesOf(clash, plain)}

## Signing in to servers

The suite starts a protected server and [conformance/client.mjs](../conformance/client.mjs). This program runs
\`callsign login\` and \`callsign call\`, and does what their messages say, as a person would: it names an address under
\`network.allowPrivate\`, adds a scope to \`oauth.scope\`, and signs in again.

${totalsOf(clients)}

${tableOf(clients, true)}

These belong to optional extensions. They fail as expected
([conformance/expected-failures.yaml](../conformance/expected-failures.yaml)), and a run fails if one passes:

| scenario | reason |
| --- | --- |
${Array.from(expected, ([name, reason]) => `| \`${name}\` | ${reason} |`).join('\n')}

## Signing in to the gateway

The suite asks a gateway with \`auth.signIn\` for tokens. A person pastes a key into its page and says yes.

${own.scenarios.map((scenario) => `- \`${scenario.name}\`: ${cellOf(own, scenario.name, true)}`).join('\n')}
`;
}

function totalsOf(runs) {
  const lines = runs.map(({ version, scenarios, required }) => {
    const counted = scenarios.filter(({ name }) => required.has(name));
    const passed = counted.filter((scenario) => passes(scenario));
    return `- ${version}: ${passed.length} of ${required.size} scored scenarios pass.`;
  });
  return lines.join('\n');
}

function tableOf(runs, counts) {
  return table(runs, rowsOf(runs, counts));
}

/** The rows that the other runs do not have in the same way. */
function differencesOf(runs, others) {
  const known = new Set([true, false].flatMap((counts) => rowsOf(others, counts)));
  const rows = [true, false].flatMap((counts) => rowsOf(runs, counts));
  return table(
    runs,
    rows.filter((row) => !known.has(row)),
  );
}

function rowsOf(runs, counts) {
  const names = new Set(
    runs.flatMap(({ scenarios, required }) =>
      scenarios.filter(({ name }) => required.has(name) === counts).map(({ name }) => name),
    ),
  );
  return Array.from(names, (name) => {
    const cells = runs.map((run) => cellOf(run, name, counts));
    return `| ${[`\`${name}\``, ...cells].join(' | ')} |`;
  });
}

function table(runs, rows) {
  const versions = runs.map(({ version }) => version);
  return [
    `| ${['scenario', ...versions].join(' | ')} |`,
    `| ${['---', ...versions.map(() => '---')].join(' | ')} |`,
    ...rows,
  ].join('\n');
}

function cellOf({ scenarios, required }, name, counts) {
  const scenario = scenarios.find((each) => each.name === name);
  if (!scenario || required.has(name) !== counts) return '–';
  const passed = scenario.checks.filter(({ status }) => status === 'SUCCESS').length;
  const reason = scenario.reason ? `, ${scenario.reason}` : '';
  if (!ran(scenario)) return `not run${reason}`;
  const word = passes(scenario) ? 'pass' : counts ? '**fail**' : 'no';
  const figure = word === 'pass' && passed > 0 ? ` (${passed})` : '';
  return `${word}${figure}${reason}`;
}
