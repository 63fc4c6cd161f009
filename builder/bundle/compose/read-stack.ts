import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { z } from 'zod';
import { type FieldProblem, LandfallError, type Problem } from '#contract/errors.ts';
import { explain, locate } from '#explain/explain.ts';
import type { YamlFile } from '#yaml/parse.ts';
import { ownCompose } from '../../inputs/config/appliance.ts';
import { readYaml } from '../../inputs/config/yaml/read.ts';
import { type ComposeFile, composeSchema, overrideSchema } from './compose-schema.ts';
import { componentsOf, guardOverride, guardStack } from './guard-stack.ts';

/** A file of the stack; its path is relative to the compose folder. */
interface StackFile {
  readonly path: string;
  readonly bytes: Buffer;
}

export interface Stack {
  readonly files: readonly StackFile[];
  /** Component by service name. */
  readonly services: ReadonlyMap<string, string>;
}

const composeFileName = 'compose.yaml';
const hintIfMissing =
  'Set `compose` in appliance.yaml to a folder with compose.yaml, relative to appliance.yaml, or remove it to use the stack of Landfall.';
const maxFiles = 200;
const maxFileBytes = 1024 * 1024;

/**
 * Reads the compose folder of an appliance and rejects what would make a server insecure.
 * @param components the appliance's components; a service must run one of them
 * @throws LandfallError COMPOSE_INVALID with every problem found, CONFIG_… for broken YAML
 */
export async function readStack(folder: string, components: readonly string[]): Promise<Stack> {
  const path = join(folder, composeFileName);
  let services = new Map<string, string>();
  checkFile(await readYaml(path, hintIfMissing), composeSchema, (file) => {
    if (folder === ownCompose) refuseMissingComponents(file, components);
    const guarded = guardStack(file, components);
    services = guarded.services;
    return guarded.problems;
  });
  const files = await readFolder(folder);
  const names = new Set(services.keys());
  // Every YAML file except compose.yaml is an override.
  for (const { path: file } of files) {
    if (file === composeFileName || !/\.ya?ml$/.test(file)) continue;
    checkFile(await readYaml(join(folder, file)), overrideSchema, (override) =>
      guardOverride(override, names),
    );
  }
  return { files, services };
}

/** Users cannot edit Landfall's own stack, so the fix is in the appliance. */
function refuseMissingComponents(file: ComposeFile, components: readonly string[]): void {
  const missing = [...componentsOf(file)].filter((name) => !components.includes(name));
  if (missing.length === 0) return;
  throw invalid(
    `components of the Landfall stack are missing in the appliance: ${missing.join(', ')}`,
    'Add them to `components` in appliance.yaml, or set `compose` there to your own stack.',
  );
}

/** Checks a Compose file by its schema, then by rules. @throws LandfallError COMPOSE_INVALID */
function checkFile<T>(
  yaml: YamlFile,
  schema: z.ZodType<T>,
  rules: (file: T) => readonly FieldProblem[],
): void {
  const { data, error } = schema.safeParse(yaml.value);
  const problems = error ? explain(error, yaml, schema) : locate(rules(data), yaml);
  if (problems.length === 0) return;
  const hint = 'Fix the problems above. docs/compose.md explains the rules.';
  throw invalid(`${yaml.path} is not allowed in a release`, hint, problems);
}

/** Returns the regular files below the folder, sorted, without Markdown files. */
async function readFolder(folder: string): Promise<StackFile[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const link = found.find((entry) => entry.isSymbolicLink());
  const stackFiles = found.filter((entry) => entry.isFile() && !entry.name.endsWith('.md'));
  const keepOnly = 'Keep only regular files that the stack needs in this folder.';
  if (link) throw invalid(`${folder} contains the link ${link.name}`, keepOnly);
  if (stackFiles.length > maxFiles) {
    throw invalid(`${folder} contains more than ${maxFiles} files`, keepOnly);
  }
  const files = await Promise.all(
    stackFiles.map(async (entry) => {
      const full = join(entry.parentPath, entry.name);
      return { path: relative(folder, full), bytes: await readFile(full) };
    }),
  );
  const large = files.find(({ bytes }) => bytes.length > maxFileBytes);
  if (large) {
    const message = `${large.path} is larger than ${maxFileBytes} bytes`;
    throw invalid(message, 'Move large content into an image or a model.');
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function invalid(message: string, hint: string, problems: readonly Problem[] = []): LandfallError {
  return new LandfallError('COMPOSE_INVALID', message, { hint, problems });
}
