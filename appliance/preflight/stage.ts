import type { Context, Stage } from '../stage/stage.ts';
import { preflight } from './judge.ts';

/** Judges the server before anything on it is changed. */
export const preflightStage: Stage = {
  name: 'preflight',
  title: 'preflight: can this server carry the release?',
  check: async () => [],
  apply: async () => {},
  prove: async ({ server, release }: Context) => preflight(server, release),
};
