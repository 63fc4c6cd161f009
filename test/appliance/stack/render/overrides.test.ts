import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderOverrides } from '../../../../appliance/stack/render/overrides.ts';
import { stackInput } from '../stack-input.ts';

const server = { memory: 8e9, cpus: 4 };

describe('a feature that only some servers have', () => {
  it('adds its override file', () => {
    const all = { ipv6: true, gpu: 'nvidia' as const, startInterval: true };
    const input = { ...stackInput(), server: { ...server, ...all } };
    expect(renderOverrides(input).content).toBe(
      'start-interval.yaml\ngateway/ipv6.yaml\nengine/gpu-nvidia.yaml\n',
    );
  });

  it('adds no file on other servers, where Docker would refuse to start the stack', () => {
    const input = { ...stackInput(), server: { ...server, ipv6: false, gpu: 'none' as const } };
    expect(renderOverrides(input).content).toBe('');
  });

  it('has an existing override file', () => {
    for (const name of ['start-interval.yaml', 'gateway/ipv6.yaml', 'engine/gpu-nvidia.yaml']) {
      expect(existsSync(new URL(`../../../../compose/${name}`, import.meta.url))).toBe(true);
    }
  });
});
