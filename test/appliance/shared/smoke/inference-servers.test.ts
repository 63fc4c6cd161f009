import { describe, expect, it } from 'vitest';
import { inferenceServerTests } from '../../../../appliance/shared/smoke/cases/inference-servers.ts';
import { insideTarget, outsideTarget } from './inside-target.ts';
import { resultOf } from './outcomes.ts';

const node = (name: string, fields: object = {}) => ({
  ...{ name, url: `https://${name}.example.com`, ...fields },
});
const engines = { nodes: [node('gpu1'), node('attic', { backup: true })] };

/** Returns the result for the models that each node lists. */
async function result(lists: Readonly<Record<string, readonly string[]>>) {
  const modelsOfNodes = async () => new Map(Object.entries(lists));
  const target = insideTarget({ engines }, { modelsOfNodes });
  return await resultOf('inference-servers', target, inferenceServerTests);
}

describe('the test of the inference servers', () => {
  it('passes if each of them lists its models', async () => {
    expect((await result({ gpu1: ['qwen3:8b'], attic: [] })).outcome).toBe('passed');
  });

  it('fails for a silent server without failing a first boot, and notes a silent backup', async () => {
    expect(await result({ attic: [] })).toMatchObject({
      ...{ outcome: 'failed', needsOthers: true, lookAt: 'sudo landfall engines' },
      detail: 'no list of models from gpu1',
    });
    expect(await result({ gpu1: [] })).toMatchObject({
      ...{ outcome: 'passed', detail: 'backups that do not answer: attic' },
    });
  });

  it('skips on a site without engines, and from outside', async () => {
    for (const target of [insideTarget(), outsideTarget({ engines })]) {
      const { outcome } = await resultOf('inference-servers', target, inferenceServerTests);
      expect(outcome).toBe('skipped');
    }
  });
});
