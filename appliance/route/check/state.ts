import { z } from 'zod';
import { routeStateFile } from '#contract/server-paths.ts';
import { writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import { readJsonFile } from '../../host/json-file.ts';

const subjectSchema = z.strictObject({
  state: z.enum(['working', 'failed']),
  /** Failures in a row. */
  failures: z.int().min(0),
  /** With failures: the first one. Otherwise since when it works. */
  since: z.iso.datetime(),
  /** The cause of the last failure. */
  cause: z.string().optional(),
  /** Its error code. */
  code: z.string().optional(),
  /** The name for users, if it differs from the key. */
  title: z.strictObject({ en: z.string(), zh: z.string() }).optional(),
});

const stateSchema = z.strictObject({
  schema: z.literal(1),
  /** The last check. */
  at: z.iso.datetime(),
  subjects: z.record(z.string(), subjectSchema),
});

export type SubjectState = z.infer<typeof subjectSchema>;

/** The state of the route after a check. Contains no secrets. */
export type RouteState = z.infer<typeof stateSchema>;

/** Returns the stored state; undefined if it is missing or damaged. */
export async function readRouteState(host: Host): Promise<RouteState | undefined> {
  return await readJsonFile(host, routeStateFile, stateSchema);
}

/** Writes the state atomically. */
export async function writeRouteState(host: Host, state: RouteState): Promise<void> {
  await writeText(host, routeStateFile, `${JSON.stringify(state, null, 2)}\n`);
}
