import { bootstrapStatusFile, motdFile } from '#contract/server-paths.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { isRunLocked } from '../host/run-lock.ts';
import { installedRelease } from '../stage/installed.ts';
import { stageNames } from '../stage/stage.ts';
import { type UnfinishedRun, unfinishedRun } from '../stage/unfinished-run.ts';
import { readStatus, type Status } from './status.ts';

/** The program of the release has begun since the server was switched on. */
export interface StagesStanding {
  readonly kind: 'stages';
  readonly status: Status;
  /** The status says `running`, but nobody is at work: Ctrl-C, a cut line, a kill. */
  readonly interrupted: boolean;
  /** An earlier first boot came to its end here, so that this one is not tried again by itself. */
  readonly installed: boolean;
}

/** It was brought up before it was last switched on. */
export interface InstalledStanding {
  readonly kind: 'installed';
  readonly release: string;
  /** How the last run ended, where that was not well. */
  readonly unfinished?: UnfinishedRun | undefined;
}

/** All that can be known of how far a server was brought up. */
export type Standing =
  | StagesStanding
  | InstalledStanding
  /** The release is still being fetched and verified. */
  | { readonly kind: 'bootstrap'; readonly line: string }
  | { readonly kind: 'unknown' };

/** Reads how far the server was brought up. Needs no rights. */
export async function readStanding(host: Host): Promise<Standing> {
  const release = await installedRelease(host);
  // Asked first: a run that ends in between has written how, and does not look interrupted.
  const atWork = await isRunLocked(host, 'first-boot');
  const status = await readStatus(host);
  if (status) {
    const interrupted = status.state === 'running' && !atWork;
    return { kind: 'stages', status, interrupted, installed: release !== undefined };
  }
  if (release !== undefined) {
    // With a run at work the journal has no end of it yet.
    return {
      kind: 'installed',
      release,
      unfinished: atWork ? undefined : await unfinished(host),
    };
  }
  const line = plainLine((await readText(host, bootstrapStatusFile))?.split('\n')[0] ?? '');
  return line ? { kind: 'bootstrap', line } : { kind: 'unknown' };
}

/** The journal knows of a run once its first stage has done something, the greeting at once. */
async function unfinished(host: Host): Promise<UnfinishedRun | undefined> {
  const known = await unfinishedRun(host);
  if (known || (await readText(host, motdFile.unfinished)) === undefined) return known;
  return { end: 'interrupted', stage: stageNames[0] };
}

/** What became of a first boot, in the words of `landfall status --json`. */
type Outcome = 'running' | 'interrupted' | 'failed' | 'done' | 'bootstrap' | 'unknown';

/** One word for how far the server was brought up. */
export function outcomeOf(standing: Standing): Outcome {
  if (standing.kind === 'stages') {
    return standing.interrupted ? 'interrupted' : standing.status.state;
  }
  if (standing.kind !== 'installed') return standing.kind;
  return standing.unfinished?.end ?? 'done';
}

/** Whether nothing changes any more unless a person does something. */
export function isOver(standing: Standing): boolean {
  const outcome = outcomeOf(standing);
  if (outcome === 'interrupted') return standing.kind !== 'stages' || standing.installed;
  return outcome === 'done' || outcome === 'failed';
}
