import { z } from 'zod';
import { statusFile } from '#contract/server-paths.ts';
import { readText, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { stageNames } from '../stage/stage.ts';
import { warningSchema } from '../stage/warning.ts';

/** `kept`: all was as it should be already. */
const stageState = z.enum(['waiting', 'running', 'applied', 'kept', 'failed']);

export const statusSchema = z.object({
  product: z.string(),
  /** Version of the release that is being set up or runs. */
  release: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  started: z.iso.datetime(),
  updated: z.iso.datetime(),
  stages: z.array(
    z.object({
      name: z.enum(stageNames),
      title: z.string(),
      state: stageState,
      /** When it began. */
      since: z.iso.datetime().optional(),
      /** Milliseconds: in all, and in our own code. */
      took: z.number().optional(),
      own: z.number().optional(),
    }),
  ),
  /** What is being done right now. */
  line: z.string().optional(),
  progress: z
    .object({
      done: z.number(),
      total: z.number(),
      unit: z.enum(['bytes', 'images', 'services', 'tests']),
    })
    .optional(),
  warnings: z.array(warningSchema),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      /** Each finding where there are several. */
      problems: z.array(z.string()).optional(),
      hint: z.string().optional(),
      /** Whether the same may succeed later without a change; a status of an older program has none. */
      retriable: z.boolean().default(true),
    })
    .optional(),
});

/** Where a server stands, for people, monitors and `landfall status`. It holds nothing secret. */
export type Status = z.infer<typeof statusSchema>;
export type StageStatus = Status['stages'][number];

/** Writes `/run/landfall/status.json`; a reader sees the old text or the new one, never half. */
export async function writeStatus(host: Host, status: Status): Promise<void> {
  await writeText(host, statusFile, `${JSON.stringify(status, null, 2)}\n`);
}

/** The status, or nothing before the first one was written or after damage. */
export async function readStatus(host: Host): Promise<Status | undefined> {
  try {
    return statusSchema.parse(JSON.parse((await readText(host, statusFile)) ?? ''));
  } catch {
    return undefined;
  }
}

/** The stage that runs or failed, with its place among all, counted from 1. */
export function currentStage({
  stages,
}: Status): { stage: StageStatus; place: number } | undefined {
  const index = stages.findIndex(({ state }) => state === 'running' || state === 'failed');
  const stage = stages[index];
  return stage && { stage, place: index + 1 };
}
