import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderOverrides } from '../../../../appliance/stack/render/overrides.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
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

  it('adds the file of a CA only for a site with one', () => {
    const { cert: ca } = new CertificateAuthority();
    expect(renderOverrides(stackInput({ ca })).content).toBe('engine/site-ca.yaml\n');
  });

  it('adds no file on other servers, where Docker would refuse to start the stack', () => {
    const input = { ...stackInput(), server: { ...server, ipv6: false, gpu: 'none' as const } };
    expect(renderOverrides(input).content).toBe('');
  });

  it('provides an override file for each feature that only some servers have', () => {
    const names = ['start-interval.yaml', 'gateway/ipv6.yaml'];
    for (const name of [...names, 'engine/gpu-nvidia.yaml', 'engine/site-ca.yaml']) {
      expect(existsSync(new URL(`../../../../compose/${name}`, import.meta.url))).toBe(true);
    }
  });
});
