import type { Stage, StageName } from '../../../appliance/stage/stage.ts';

/** A stage that does nothing and is content, but for what is given. */
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
