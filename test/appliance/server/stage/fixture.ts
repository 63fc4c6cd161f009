import type { Stage, StageName } from '../../../../appliance/server/stage/stage.ts';

/** Returns a stage with nothing to do, with overrides. */
export function stageCalled(name: StageName, parts: Partial<Stage> = {}): Stage {
  return {
    name,
    title: `${name}: for a test`,
    check: async () => [],
    apply: async () => {},
    prove: async () => {},
    ...parts,
  };
}
