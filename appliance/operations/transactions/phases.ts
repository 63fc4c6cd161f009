import { z } from 'zod';
import { program } from '#contract/bundle/bundle-paths.ts';
import { LandfallError } from '#contract/errors.ts';
import { nodeBinary } from '#contract/server-paths.ts';
import { readJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { Host } from '../../server/host/host.ts';

/**
 * What the program of a release does for the driver of an update, which may be that of another release
 * (decision 66). Phases keep their meaning in every release:
 *
 * - `plan`: prints which services would change; changes nothing
 * - `baseline`: smoke tests of the release that is left, so that `verify` blames no other one for them
 * - `prepare`: the stages before the stack
 * - `close`: closes the gateway and the loopback ports for all without the pass
 * - `switch`: the stages of the stack
 * - `verify`: smoke tests, images, and the data that was there before
 * - `finish`: opens the server if the transaction has no pass, and writes the report
 */
export const phases = [
  'plan',
  'baseline',
  'prepare',
  'close',
  'switch',
  'verify',
  'finish',
] as const;
export type Phase = (typeof phases)[number];

/** A line of a child's output. Unknown events and fields of later releases are ignored. */
const lineSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('line'), text: z.string() }),
  z.object({ event: z.literal('plan'), changed: z.array(z.string()).nullable() }),
  z.object({
    event: z.literal('failed'),
    code: z.string(),
    message: z.string(),
    problems: z.array(z.string()).default([]),
  }),
]);
export type PhaseEvent = z.infer<typeof lineSchema>;

/** A release of this server. */
interface InstalledRelease {
  /** Absolute path. */
  readonly folder: string;
}

interface PhaseOptions {
  readonly transaction: string;
  readonly phase: Phase;
  /** Seconds after which the child is ended. */
  readonly limit: number;
  readonly onLine: (text: string) => void;
}

/**
 * Runs a phase of a release as a child.
 * @returns the events that are results
 * @throws LandfallError UPDATE_FAILED with the error of the child
 */
export async function runPhase(
  host: Host,
  { folder }: InstalledRelease,
  { transaction, phase, limit, onLine }: PhaseOptions,
): Promise<PhaseEvent[]> {
  const events: PhaseEvent[] = [];
  const onOutput = (line: string) => {
    const event = readJson(lineSchema, line);
    if (event?.event === 'line') onLine(plainLine(event.text, 500));
    else if (event) events.push(event);
  };
  const args = ['apply-release', '--transaction', transaction, '--phase', phase];
  try {
    await host.run(`${folder}/${nodeBinary}`, [`${folder}/${program}`, ...args], {
      seconds: limit,
      onLine: onOutput,
    });
  } catch (cause) {
    throw failureOf(events, phase, cause);
  }
  return events;
}

function failureOf(events: readonly PhaseEvent[], phase: Phase, cause: unknown): LandfallError {
  const failed = events.find(({ event }) => event === 'failed');
  if (failed?.event !== 'failed') {
    const { message, problems = [] } = cause as LandfallError;
    return new LandfallError('UPDATE_FAILED', `${phase}: ${message}`, { problems, cause });
  }
  const text = plainLine(`${failed.code}: ${failed.message}`, 1000);
  return new LandfallError('UPDATE_FAILED', text, {
    problems: failed.problems.map((message) => ({ message: plainLine(message, 1000) })),
    cause,
  });
}
