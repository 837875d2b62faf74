// Ten tasks over real servers. `rounds` are the calls of a model without scripts: all calls of a round are made at once, and
// the next rounds may use their answers. `code` is the same task as a program; `query` finds the functions that it needs.
const FILES = 12;
const COMMITS = 6;
const TABLE = 'CREATE TABLE lines (page TEXT, line TEXT)';
const INSERT = 'INSERT INTO lines (page, line) VALUES ';
const SHIPS = 'SELECT json_group_array(name) AS names FROM ships';
const paths = Array.from({ length: FILES }, (_, i) => `page-${String(i + 1).padStart(2, '0')}.md`);

export const files = paths.map((name, i) => [
  name,
  `# Page ${i + 1}\nTides of week ${i + 1}.\n${'High water at noon.\n'.repeat(20 + i)}`,
]);

const text = ({ content }) => content[0].text;
const read = (root) =>
  paths.map((each) => ['filesystem:read_text_file', { path: `${root}/${each}` }]);
const commit = (root, name) => [
  'git:git_commit',
  { path: root, message: `Add ${name}`, filesToStage: [name] },
];
const list = (root) => [['filesystem:list_directory', { path: root }]];
export const ships = ['Fulmar', 'Gannet', 'Heron', 'Ibis', 'Jackdaw', 'Kestrel'];
const create = 'harbour:harbour_mcpaql_create';
const readApi = 'harbour:harbour_mcpaql_read';
const register = (name) => ({ operation: 'register_ship', params: { name, flag: 'NO' } });

const READ_ALL = `const { content } = await tools.filesystem.list_directory({ path: root });
const names = content.split('\\n').map((line) => line.slice('[FILE] '.length)).filter((name) => name.startsWith('page-'));
const read = async (name) => (await tools.filesystem.read_text_file({ path: root + '/' + name })).content;
`;

export const tasks = [
  {
    title: 'Count the lines of 12 pages',
    rounds: [list, read],
    query: 'filesystem list directory read text file',
    code: `${READ_ALL}return Promise.all(names.map(async (name) => [name, (await read(name)).split('\\n').length]))`,
  },
  {
    title: 'Read one page',
    rounds: [(root) => [['filesystem:read_text_file', { path: `${root}/page-03.md` }]]],
    query: 'filesystem read text file',
    code: 'return (await tools.filesystem.read_text_file({ path: root + "/page-03.md" })).content',
  },
  {
    title: 'Copy 12 pages with a new heading',
    rounds: [
      list,
      read,
      (root, answers) =>
        answers.map((each, i) => [
          'filesystem:write_file',
          { path: `${root}/copy-${i + 1}.md`, content: text(each).replace('# Page', '# Old page') },
        ]),
    ],
    query: 'filesystem list directory read text write file',
    code: `${READ_ALL}const all = await Promise.all(names.map(read));
for (let i = 0; i < all.length; i++)
  await tools.filesystem.write_file({ path: root + '/copy-' + (i + 1) + '.md', content: all[i].replace('# Page', '# Old page') });`,
  },
  {
    title: 'Remember each page as an entity',
    rounds: [
      list,
      read,
      (_, answers) => [
        [
          'memory:create_entities',
          {
            entities: answers.map((each, i) => ({
              name: paths[i],
              entityType: 'page',
              observations: [text(each).split('\n')[1]],
            })),
          },
        ],
      ],
    ],
    query: 'filesystem list directory read text file memory create entities',
    code: `${READ_ALL}const entities = await Promise.all(names.map(async (name) => ({
  name, entityType: 'page', observations: [(await read(name)).split('\\n')[1]] })));
await tools.memory.create_entities({ entities });`,
  },
  {
    title: 'Forget half of the entities',
    rounds: [
      () => [['memory:read_graph', {}]],
      () => [['memory:delete_entities', { entityNames: paths.slice(FILES / 2) }]],
    ],
    query: 'memory read graph delete entities',
    code: `const { entities } = await tools.memory.read_graph({});
await tools.memory.delete_entities({ entityNames: entities.map(({ name }) => name).filter((name) => name > 'page-06.md') });`,
  },
  {
    title: 'Commit six pages, each on its own',
    rounds: [
      (root) => [['git:git_status', { path: root }]],
      // One after the other, since they share the index of the repository.
      ...paths.slice(0, COMMITS).map((name) => (root) => [commit(root, name)]),
    ],
    query: 'git commit',
    code: `for (let i = 1; i <= ${COMMITS}; i++) {
  const name = 'page-0' + i + '.md';
  await tools.git.git_commit({ path: root, message: 'Add ' + name, filesToStage: [name] });
}`,
  },
  {
    title: 'Look at what each commit changed',
    rounds: [
      (root) => [['git:git_log', { path: root, maxCount: COMMITS }]],
      (root, [answer]) =>
        answer.structuredContent.commits.map(({ hash }) => [
          'git:git_show',
          { path: root, object: hash, stat: true },
        ]),
    ],
    query: 'git log show',
    code: `const { commits } = await tools.git.git_log({ path: root, maxCount: ${COMMITS} });
const all = await Promise.all(commits.map(({ hash }) => tools.git.git_show({ path: root, object: hash, stat: true })));
return commits.map(({ subject }, i) => [subject, JSON.stringify(all[i]).match(/page-\\d+/)[0]])`,
  },
  {
    title: 'Put a line of each page into a table',
    rounds: [
      list,
      read,
      () => [['sqlite:create-table', { query: TABLE }]],
      (_, __, [, pages]) => {
        const query = INSERT + pages.map(() => '(?, ?)').join(', ');
        const parameters = pages.flatMap((each, i) => [paths[i], text(each).split('\n')[1]]);
        return [['sqlite:write-query', { query, parameters }]];
      },
    ],
    query: 'filesystem list directory read text file sqlite create table write query',
    code: `${READ_ALL}const lines = await Promise.all(names.map(async (name) => [name, (await read(name)).split('\\n')[1]]));
await call('sqlite:create-table', { query: '${TABLE}' });
const query = '${INSERT}' + lines.map(() => '(?, ?)').join(', ');
await call('sqlite:write-query', { query, parameters: lines.flat() });`,
  },
  {
    title: 'Register six ships of a table in an API',
    rounds: [
      () => [['sqlite:read-query', { query: SHIPS }]],
      (_, [answer]) =>
        JSON.parse(/\[.*\]/.exec(text(answer))[0]).map((name) => [create, register(name)]),
    ],
    query: 'sqlite read query harbour create',
    code: `const table = await call('sqlite:read-query', { query: '${SHIPS}' });
for (const name of JSON.parse(table.match(/\\[.*\\]/)[0]))
  await call('${create}', { operation: 'register_ship', params: { name, flag: 'NO' } });`,
  },
  {
    title: 'Note the ships of an API in a file',
    rounds: [
      () => [[readApi, { operation: 'list_ships', params: { limit: 100 } }]],
      (root, [answer]) => [
        [
          'filesystem:write_file',
          {
            path: `${root}/ships.md`,
            content: dataIn(answer)
              .map(({ name }) => name)
              .join('\n'),
          },
        ],
      ],
    ],
    query: 'harbour read filesystem write file',
    code: `const { data } = await call('${readApi}', { operation: 'list_ships', params: { limit: 100 } });
await tools.filesystem.write_file({ path: root + '/ships.md', content: (data.items ?? data).map(({ name }) => name).join('\\n') });`,
  },
];

function dataIn(answer) {
  const { data } = answer.structuredContent ?? JSON.parse(text(answer));
  return data.items ?? data;
}
