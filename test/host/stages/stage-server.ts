import type { FastHost } from '../machine/fast-host.ts';
import type { Cloud } from '../network/cloud.ts';
import type { StageRunner } from '../stage-runner/stage-runner.ts';

/** A server on which single stages run, for views that several topics share. */
export interface StageServer {
  readonly cloud: Cloud;
  readonly host: FastHost;
  readonly stages: StageRunner;
}
