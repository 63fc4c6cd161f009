import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderSwarmStack, swarmImage } from '../../../../appliance/nodes/swarm/stack-file.ts';
import { errorOf } from '../../../setup/landfall-error.ts';

const file = new URL('../../../../compose/compose.yaml', import.meta.url);
const engine = parse(readFileSync(file, 'utf8'), { merge: true }).services.engine;
const facts = { slots: 3, port: 11500 };
const asPrinted = { ...engine, environment: { OLLAMA_NUM_PARALLEL: '1', OLLAMA_HOST: '0.0.0.0' } };
const stack = parse(renderSwarmStack(asPrinted, facts));

describe('the stack file of a Swarm', () => {
  it('runs Ollama on each node, and nothing else', () => {
    expect(Object.keys(stack.services)).toEqual(['engine']);
    expect(stack.services.engine.deploy).toMatchObject({
      ...{ mode: 'global', endpoint_mode: 'dnsrr' },
      placement: { constraints: ['node.role == worker'] },
      update_config: { parallelism: 1, order: 'stop-first', failure_action: 'pause' },
    });
  });

  it('keeps the limits of the component', () => {
    const { cap_drop, read_only, tmpfs, logging } = stack.services.engine;
    expect({ cap_drop, read_only, tmpfs }).toEqual({
      ...{ cap_drop: ['ALL'], read_only: true, tmpfs: ['/tmp'] },
    });
    expect(logging).toEqual(engine.logging);
    expect(stack.services.engine.deploy.resources.limits).toEqual({
      pids: engine.deploy.resources.limits.pids,
    });
  });

  it('names an image that no registry has, so that nodes take their own', () => {
    expect(stack.services.engine.image).toBe(swarmImage);
    expect(swarmImage).toMatch(/^127\.0\.0\.1:9\//);
  });

  it('takes the slots and the port of the site', () => {
    expect(stack.services.engine.environment).toMatchObject({ OLLAMA_NUM_PARALLEL: '3' });
    expect(stack.services.engine.ports).toEqual([
      { target: 11434, published: 11500, mode: 'host' },
    ]);
  });

  it('mounts the models of Compose, and no secrets of Docker', () => {
    expect(stack.volumes['engine-data']).toEqual({ external: true, name: 'landfall_engine-data' });
    expect(stack.services.engine).not.toHaveProperty('secrets');
    expect(stack).not.toHaveProperty('secrets');
  });

  it('omits keys that Docker ignores or rejects', () => {
    const refused = ['restart', 'security_opt', 'shm_size', 'container_name', 'pull_policy'];
    for (const key of [...refused, 'profiles', 'mem_limit', 'pids_limit']) {
      expect(stack.services.engine).not.toHaveProperty(key);
    }
  });

  it('rejects each key of the component that has no counterpart', () => {
    const odd = { ...asPrinted, devices: [], oom_score_adj: 5 };
    expect(errorOf(() => renderSwarmStack(odd, facts))).toMatchObject({
      code: 'STATE_INVALID',
      problems: [
        { message: 'devices has no counterpart in a Swarm' },
        { message: 'oom_score_adj has no counterpart in a Swarm' },
      ],
    });
  });
});
