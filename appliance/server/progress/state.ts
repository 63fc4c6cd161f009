import { bootstrapStatusFile, motdFile } from '#contract/server-paths.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { isRunLocked } from '../host/lock/run-lock.ts';
import { installedRelease } from '../stage/installed.ts';
import { type UnfinishedRun, unfinishedRun } from '../stage/journal.ts';
import { stageNames } from '../stage/stage.ts';
import { type Status, storedStatus } from './status.ts';

/** The stages have started since the last boot. */
export interface StagesStanding {
  readonly kind: 'stages';
  readonly status: Status;
  /** The status is `running`, but no process runs: Ctrl-C, a lost connection, a kill. */
  readonly interrupted: boolean;
  /** An earlier first boot has completed, so this one is not retried automatically. */
  readonly installed: boolean;
}

/** The setup completed before the last boot. */
export interface InstalledStanding {
  readonly kind: 'installed';
  readonly release: string;
  /** The last run, if it failed or was interrupted. */
  readonly unfinished?: UnfinishedRun | undefined;
}

/** The progress of the setup as far as it is known. */
export type Standing =
  | StagesStanding
  | InstalledStanding
  /** The bootstrap is downloading and verifying the release. */
  | { readonly kind: 'bootstrap'; readonly line: string }
  | { readonly kind: 'unknown' };

/** Reads the progress of the setup. Does not need root. */
export async function readStanding(host: Host): Promise<Standing> {
  const release = await installedRelease(host);
  // Before the status is read, so that a run that ends in between does not count as interrupted.
  const isRunning = await isRunLocked(host, 'first-boot');
  const status = await storedStatus.read(host);
  if (status) {
    const interrupted = status.state === 'running' && !isRunning;
    return { kind: 'stages', status, interrupted, installed: release !== undefined };
  }
  if (release !== undefined) {
    // The journal has no end of a running first boot yet.
    return {
      kind: 'installed',
      release,
      unfinished: isRunning ? undefined : await unfinished(host),
    };
  }
  const line = plainLine((await readText(host, bootstrapStatusFile))?.split('\n')[0] ?? '');
  return line ? { kind: 'bootstrap', line } : { kind: 'unknown' };
}

/** The journal has an entry only after the first stage has applied something; the login message exists earlier. */
async function unfinished(host: Host): Promise<UnfinishedRun | undefined> {
  const known = await unfinishedRun(host);
  if (known || (await readText(host, motdFile.unfinished)) === undefined) return known;
  return { end: 'interrupted', stage: stageNames[0] };
}

/** The state in `landfall status --json`. */
type Outcome = 'running' | 'waiting' | 'interrupted' | 'failed' | 'done' | 'bootstrap' | 'unknown';

/** Returns the state of the setup as one word. */
export function outcomeOf(standing: Standing): Outcome {
  if (standing.kind === 'stages') {
    if (standing.interrupted) return 'interrupted';
    return standing.status.waitsFor === undefined ? standing.status.state : 'waiting';
  }
  if (standing.kind !== 'installed') return standing.kind;
  return standing.unfinished?.end ?? 'done';
}

/** Reports whether the state changes only if the administrator acts. */
export function isOver(standing: Standing): boolean {
  const outcome = outcomeOf(standing);
  if (outcome === 'interrupted') return standing.kind !== 'stages' || standing.installed;
  return outcome === 'done' || outcome === 'failed' || outcome === 'waiting';
}
