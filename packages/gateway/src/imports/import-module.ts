/**
 * Imports modules that are not part of the bundle. The bundle keeps this file apart, because code that
 * was compiled at an earlier start cannot import modules.
 */

/** Imports the module with this address or name. */
export function importModule(name: string): Promise<unknown> {
  return import(name);
}
