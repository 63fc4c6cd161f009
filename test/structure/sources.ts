import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Lists the TypeScript files below a folder, as paths from the root of the project. */
export function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(folder, path));
}

/** Returns the text of a file. */
export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

const { imports: aliases } = JSON.parse(textOf('package.json')) as {
  readonly imports: Readonly<Record<string, unknown>>;
};

const fromClause = /^(?:import|export)[^;]*?from '([^']+)'/gms;
const sideEffect = /^import '([^']+)'/gm;
const dynamic = /\bimport\('([^']+)'\)/g;

/**
 * Lists the imports of a file: paths from the root for the project's files, names for packages. An
 * import of `#platform/…` resolves to both sides, the one for Node first.
 */
export function importsOf(path: string): string[] {
  const text = textOf(path);
  return [fromClause, sideEffect, dynamic]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .flatMap(([, target = '']) => pathsOf(target, path));
}

function pathsOf(target: string, importer: string): string[] {
  if (target.startsWith('#platform/')) {
    return ['node', 'browser'].map((side) =>
      target.replace('#platform', `appliance/shared/platform/${side}`),
    );
  }
  const alias = /^#[a-z-]+\//.exec(target)?.[0];
  if (alias !== undefined) return [target.replace(alias, folderOf(alias))];
  if (!target.startsWith('.')) return [target];
  return [relative(root, resolve(root, dirname(importer), target))];
}

/** Returns the folder of an alias such as `#http/`, by the `imports` of package.json. */
function folderOf(alias: string): string {
  const path = aliases[`${alias}*`];
  if (typeof path !== 'string') throw new Error(`package.json has no import ${alias}*`);
  return path.replace(/^\.\/|\*$/g, '');
}

/** Names that a file imports from one other file; `*` stands for all of them. */
export interface ImportedNames {
  readonly target: string;
  readonly names: readonly string[];
}

const named = /^(?:import|export)(?: type)? ?(\*[^;']*?|\{[^}]*\}) from '([^']+)'/gm;

/** Lists the imported names of a file by source file, as exported there. */
export function importsIn(path: string): ImportedNames[] {
  const text = textOf(path);
  const taken = [...text.matchAll(named)].flatMap(([, clause = '', specifier = '']) =>
    pathsOf(specifier, path).map((target) => ({ target, names: namesOf(clause) })),
  );
  const loaded = [...text.matchAll(/\bimport\(\s*'([^']+)'/g)].flatMap(([, specifier = '']) =>
    pathsOf(specifier, path).map((target) => ({ target, names: ['*'] })),
  );
  return [...taken, ...loaded];
}

function namesOf(clause: string): string[] {
  if (clause.startsWith('*')) return ['*'];
  return clause
    .slice(1, -1)
    .split(',')
    .map((each) =>
      each
        .trim()
        .replace(/^type /, '')
        .replace(/ as .*$/s, ''),
    )
    .filter((name) => name !== '');
}
