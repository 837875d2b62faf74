/** Finds the file of a thread, which is started by its URL. */

/**
 * `own`: the URL of the module that starts it. `folder`: where the thread is in the sources. Node
 * cannot run TypeScript, so from the sources the built thread is used. In a bundle it is beside the
 * module.
 */
export function workerFile(own: string, folder: string, name: string): URL {
  if (!own.endsWith('.ts')) return new URL(`./${name}.js`, own);
  return new URL(`../../dist/${folder}/${name}.js`, own);
}
