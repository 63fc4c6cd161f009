import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';

const folder = fileURLToPath(new URL('../../.github/workflows/', import.meta.url));

const permissions = z.record(z.string(), z.enum(['read', 'write', 'none']));

const step = z.strictObject({
  name: z.string().optional(),
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  shell: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.unknown()).optional(),
});

const job = z.strictObject({
  name: z.string().optional(),
  needs: z.union([z.string(), z.array(z.string())]).optional(),
  if: z.string().optional(),
  'runs-on': z.string(),
  'timeout-minutes': z.number(),
  environment: z.string().optional(),
  permissions,
  strategy: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.string()).optional(),
  env: z.record(z.string(), z.unknown()).optional(),
  steps: z.array(step),
});

const workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions,
  concurrency: z.strictObject({
    group: z.string(),
    'cancel-in-progress': z.union([z.boolean(), z.string()]),
  }),
  jobs: z.record(z.string(), job),
});

export type Step = z.infer<typeof step>;
export type Job = z.infer<typeof job>;

/** A workflow of this repository. */
export interface Workflow extends z.infer<typeof workflow> {
  readonly file: string;
  readonly text: string;
}

/**
 * Reads all workflows. Every key is in the schema, so that a new one, such as `container`, needs a
 * rule here first.
 */
export function readWorkflows(): Workflow[] {
  const files = readdirSync(folder).sort();
  return files.map((file) => {
    const text = readFileSync(folder + file, 'utf8');
    return { file, text, ...workflow.parse(parse(text)) };
  });
}
