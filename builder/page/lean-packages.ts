import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** The JSON Schemas that zod can write, which a page does not need. */
const schemaProcessors = /\/zod\/v4\/core\/json-schema-processors\.js$/;

/** Functions of semver that the contract uses. The main file of the package loads all of them. */
const semverFunctions = ['gt', 'gte', 'lt', 'valid'];

/**
 * Leaves out what packages have beyond the needs of a page, a third of the program: languages and JSON Schemas of
 * zod, and what of zod and semver is imported but never used.
 */
export const leanPackages: Plugin = {
  name: 'lean-packages',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
    onLoad({ filter: schemaProcessors }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const names = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(
        ([, name]) => name,
      );
      return { contents: names.map((name) => `export const ${name} = undefined;`).join('\n') };
    });
    // esbuild removes unused members of a namespace, but not of the object `z`.
    onLoad({ filter: /\/(?:appliance|builder)\/.*\.tsx?$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!/^import .*\bz\b.* from 'zod';$/m.test(source)) return null;
      const contents = source
        .replace(/^import \{ z \} from 'zod';$/m, "import * as z from 'zod';")
        .replace(/^import type \{ z \} from 'zod';$/m, "import type * as z from 'zod';")
        .replace(
          /^import \{ (\w+), type z \} from 'zod';$/m,
          "import { $1 } from 'zod'; import type * as z from 'zod';",
        );
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
    onResolve({ filter: /^semver$/ }, ({ resolveDir }) => ({
      path: 'semver',
      namespace: 'lean',
      pluginData: resolveDir,
    }));
    onLoad({ filter: /^semver$/, namespace: 'lean' }, ({ pluginData }) => ({
      contents: [
        ...semverFunctions.map((name) => `import ${name} from 'semver/functions/${name}.js';`),
        `export default { ${semverFunctions.join(', ')} };`,
      ].join('\n'),
      resolveDir: pluginData,
    }));
  },
};
