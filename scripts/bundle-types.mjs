// Writes one file of types from the compiled types of an entry. Our own packages are taken in; those of others stay
// imports.
import { rollup } from 'rollup';
import typesPlugin from 'rollup-plugin-dts';

/** By number, as the compiler's API wants them. Without the condition of the sources: compiled types are read. */
const NODE_NEXT = { module: 199, moduleResolution: 99, customConditions: [] };

export async function bundleTypes(entry, file) {
  const bundle = await rollup({
    input: entry,
    plugins: [typesPlugin({ respectExternal: true, compilerOptions: NODE_NEXT })],
    external: (id) => /^[^./]/.test(id) && !id.startsWith('@callsign/'),
  });
  const { output } = await bundle.write({ file, format: 'es' });
  await bundle.close();
  return output[0].moduleIds;
}
