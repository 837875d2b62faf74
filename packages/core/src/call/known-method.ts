/** The methods that we know. A label says what they do with an item, and nothing about other methods. */

/** The areas of the protocol's own methods. */
const OWN_AREAS: ReadonlySet<string> = new Set([
  'completion',
  'elicitation',
  'logging',
  'notifications',
  'prompts',
  'resources',
  'roots',
  'sampling',
  'server',
  'subscriptions',
  'tasks',
  'tools',
]);

/** Methods of known extensions that name a resource. The resource need not be listed. */
const BY_URI: ReadonlySet<string> = new Set(['skills/get', 'resources/directory/read']);

/** Whether a method of a known extension names a resource. */
export function namesResource(method: string): boolean {
  return BY_URI.has(method);
}

/** Returns false if it belongs to an unknown extension. It may still name an item of a server. */
export function isKnownMethod(method: string): boolean {
  if (method === 'tools/call' || BY_URI.has(method)) return true;
  const end = method.indexOf('/');
  return end === -1 || OWN_AREAS.has(method.slice(0, end));
}
