/** The requests to each server, directly and through the gateway. */

/**
 * A request: its method, and members of its `params` and `_meta` as JSON text. `{name}` is replaced
 * by the name that the client uses.
 */
export interface Operation {
  readonly method: string;
  readonly members?: string;
  readonly meta?: string;
  /** The item's own name, where the gateway changes names. */
  readonly name?: string;
}

function call(name: string, args?: string, meta?: string): Operation {
  const members = `"name":{name}${args === undefined ? '' : `,"arguments":${args}`}`;
  return { method: 'tools/call', name, members, ...(meta === undefined ? {} : { meta }) };
}

function prompt(name: string, args?: string): Operation {
  const members = `"name":{name}${args === undefined ? '' : `,"arguments":${args}`}`;
  return { method: 'prompts/get', name, members };
}

function read(uri: string): Operation {
  return { method: 'resources/read', members: `"uri":${JSON.stringify(uri)}` };
}

function completePrompt(name: string, argument: string, value: string): Operation {
  const members = `"ref":{"type":"ref/prompt","name":{name}},"argument":{"name":"${argument}","value":"${value}"}`;
  return { method: 'completion/complete', name, members };
}

function completeTemplate(uri: string, argument: string, value: string): Operation {
  const members = `"ref":{"type":"ref/resource","uri":"${uri}"},"argument":{"name":"${argument}","value":"${value}"}`;
  return { method: 'completion/complete', members };
}

/** Values that a relay would change if it parsed and wrote them again. */
const NASTY =
  '{"z":1, "a" : 12345678901234567890,"10":"ten","9":"nine","e":1E+2,"n":-0.0,"f":1.10,"nul":null,' +
  '"uni":"\\u00e9é\\ud83d\\ude80🚀\\u2028","esc":"a\\/b\\"c\\\\d","__proto__":{"x":1},"deep":[[[[{"k":[]}]]]],"t":true}';

const TOKENS = ['7', '"text token"', '12345678901234567890'];

export const PLAIN: readonly Operation[] = [
  call('echo'),
  call('echo', '{}'),
  call('echo', NASTY),
  call('echo', '{"a":1}', '"com.example/trace":{"z":1,"a":2},"traceparent":"00-1-1-01"'),
  call('add', '{"a":1,"b":2}'),
  call('fail'),
  call('rpc_error', '{}'),
  call('weird', '{}'),
  call('big', '{"bytes":100000}'),
  ...TOKENS.map((token) => call('progress', '{"steps":3,"ms":5}', `"progressToken":${token}`)),
  call('progress', '{"steps":2,"ms":1}'),
  call('ask', '{"kind":"elicitation","message":"Really?"}'),
  call('ask', '{"kind":"sampling","message":"Say é"}'),
  call('ask', '{"kind":"roots"}'),
  call('ask', '{"kind":"nothing"}'),
  prompt('greet', '{"name":"Ada"}'),
  prompt('greet'),
  read('plain://static'),
  read('plain://item/12'),
  completePrompt('greet', 'name', 'A'),
  completeTemplate('plain://item/{id}', 'id', '1'),
];

const EVERYTHING_SILENT = [
  'test_simple_text',
  'test_image_content',
  'test_audio_content',
  'test_embedded_resource',
  'test_multiple_content_types',
  'test_error_handling',
  'json_schema_2020_12_tool',
].map((name) => call(name, '{}'));

const EVERYTHING_ASKING = [
  'test_elicitation_sep1034_defaults',
  'test_elicitation_sep1330_enums',
  'test_input_required_result_elicitation',
  'test_input_required_result_sampling',
  'test_input_required_result_list_roots',
  'test_input_required_result_request_state',
  'test_input_required_result_multiple_inputs',
  'test_input_required_result_multi_round',
].map((name) => call(name, '{}'));

export const EVERYTHING: readonly Operation[] = [
  call('test_simple_text'),
  ...EVERYTHING_SILENT,
  call('test_slow', '{"ms":"soon"}'),
  call('test_slow', '{"ms":5}'),
  call('test_tool_with_progress', '{}', '"progressToken":"p-1"'),
  ...EVERYTHING_ASKING,
  call('test_sampling', '{"prompt":"Say hi"}'),
  call('test_elicitation', '{"message":"Who are you?"}'),
  prompt('test_simple_prompt'),
  prompt('test_prompt_with_arguments', '{"arg1":"one","arg2":"two"}'),
  prompt('test_prompt_with_embedded_resource', '{"resourceUri":"test://example-resource"}'),
  prompt('test_prompt_with_image'),
  prompt('test_input_required_result_prompt'),
  read('test://static-text'),
  read('test://static-binary'),
  read('test://template/123/data'),
  completePrompt('test_prompt_with_arguments', 'arg1', 'test'),
];

export const OFFICIAL_EVERYTHING: readonly Operation[] = [
  call('echo', '{"message":"é 🚀"}'),
  call('echo', '{"message":7}'),
  call('get-sum', '{"a":0.1,"b":2e3}'),
  call('get-structured-content', '{"location":"Chicago"}'),
  call('get-tiny-image', '{}'),
  call('get-annotated-message', '{"messageType":"error","includeImage":true}'),
  call('get-resource-links', '{"count":2}'),
  call('trigger-long-running-operation', '{"duration":0.02,"steps":2}', '"progressToken":"long"'),
  call('trigger-sampling-request', '{"prompt":"Say hi","maxTokens":10}'),
  call('trigger-elicitation-request', '{}'),
  prompt('simple-prompt'),
  prompt('args-prompt', '{"city":"Bern","state":"BE"}'),
  prompt('args-prompt', '{}'),
  completePrompt('completable-prompt', 'department', 'E'),
  completeTemplate('demo://resource/dynamic/text/{resourceId}', 'resourceId', '1'),
  read('demo://resource/static/document/startup.md'),
];

export function filesystem(folder: string): readonly Operation[] {
  const at = (name: string): string => JSON.stringify(`${folder}/${name}`);
  return [
    call('list_allowed_directories', '{}'),
    call('write_file', `{"path":${at('new.txt')},"content":"line é\\n"}`),
    call('read_text_file', `{"path":${at('new.txt')}}`),
    call('read_text_file', `{"path":${at('none.txt')}}`),
    call('read_text_file', '{"path":"/etc/hostname"}'),
    call('read_text_file', '{}'),
    call('read_media_file', `{"path":${at('dot.png')}}`),
    call(
      'edit_file',
      `{"path":${at('a.txt')},"edits":[{"oldText":"a","newText":"b"}],"dryRun":true}`,
    ),
    call('list_directory', `{"path":${at('')}}`),
    call('directory_tree', `{"path":${at('')}}`),
    call('search_files', `{"path":${at('')},"pattern":"**/*.txt"}`),
    call('read_multiple_files', `{"paths":[${at('a.txt')},${at('none.txt')}]}`),
  ];
}

/** Ends in the state in which it began. */
export const MEMORY: readonly Operation[] = [
  call('read_graph', '{}'),
  call(
    'create_entities',
    '{"entities":[{"name":"Ada","entityType":"person","observations":["é"]}]}',
  ),
  call('add_observations', '{"observations":[{"entityName":"Ada","contents":["counts"]}]}'),
  call('add_observations', '{"observations":[{"entityName":"Nobody","contents":["x"]}]}'),
  call('search_nodes', '{"query":"counts"}'),
  call('open_nodes', '{"names":["Ada"]}'),
  read('memory://knowledge-graph'),
  call('create_entities', '{"entities":"none"}'),
  call('delete_entities', '{"entityNames":["Ada"]}'),
  call('read_graph', '{}'),
];

export const THINKING: readonly Operation[] = [
  call(
    'sequentialthinking',
    '{"thought":"é","nextThoughtNeeded":true,"thoughtNumber":1,"totalThoughts":2}',
  ),
  call('sequentialthinking', '{"thought":"no more","nextThoughtNeeded":"perhaps"}'),
];
