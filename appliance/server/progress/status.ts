import { z } from 'zod';
import { neededInputs } from '#contract/needed-input.ts';
import { statusFile } from '#contract/server-paths.ts';
import { StateFile } from '../host/state-file.ts';
import { warningSchema } from '../stage/reporter.ts';
import { stageNames } from '../stage/stage.ts';

/** `kept`: the stage had nothing to do. */
const stageState = z.enum(['waiting', 'running', 'applied', 'kept', 'failed']);

export const statusSchema = z.object({
  product: z.string(),
  /** Version of the release. */
  release: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  started: z.iso.datetime(),
  updated: z.iso.datetime(),
  stages: z.array(
    z.object({
      name: z.enum(stageNames),
      title: z.string(),
      state: stageState,
      /** Start time. */
      since: z.iso.datetime().optional(),
      /** Milliseconds: total, and without waiting for programs and the network. */
      took: z.number().optional(),
      own: z.number().optional(),
    }),
  ),
  /** The current action. */
  line: z.string().optional(),
  /** What the administrator must give before the setup goes on. */
  waitsFor: z.enum(neededInputs).optional(),
  progress: z
    .object({
      done: z.number(),
      total: z.number(),
      unit: z.enum(['bytes', 'checks', 'images', 'services', 'tests']),
    })
    .optional(),
  warnings: z.array(warningSchema),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      /** Details, if there are several. */
      problems: z.array(z.string()).optional(),
      hint: z.string().optional(),
      /** Whether a retry may succeed without a change. Older releases do not write this field. */
      retriable: z.boolean().default(true),
    })
    .optional(),
});

/** The status of the first boot, for `landfall status` and monitoring. Contains no secrets. */
export type Status = z.infer<typeof statusSchema>;
export type StageStatus = Status['stages'][number];

export const storedStatus = new StateFile(statusFile, statusSchema);

/** Returns the stage that runs or failed, with its position, counted from 1. */
export function currentStage({
  stages,
}: Status): { stage: StageStatus; position: number } | undefined {
  const index = stages.findIndex(({ state }) => state === 'running' || state === 'failed');
  const stage = stages[index];
  return stage && { stage, position: index + 1 };
}
