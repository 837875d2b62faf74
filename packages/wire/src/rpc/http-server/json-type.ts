/** Whether this is the media type of JSON. */
export function isJson(type: string): boolean {
  return type === 'application/json' || /^application\/json *(?:;|$)/i.test(type);
}
