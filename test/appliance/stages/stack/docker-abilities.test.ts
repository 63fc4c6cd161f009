import { describe, expect, it } from 'vitest';
import { supportsStartInterval } from '../../../../appliance/stages/stack/docker-abilities.ts';
import { TemporaryHost } from '../../temporary-host.ts';

describe('start_interval of health checks', () => {
  it.each([
    ['Debian 12', '1.41', false],
    ['Docker 24', '1.43', false],
    ['Docker 25', '1.44', true],
    ['Debian 13', '1.45', true],
    ['an API with another major version', '2.0', true],
  ])(
    'detects start_interval by the API version of Docker: %s, %s',
    async (_what, version, known) => {
      const host = TemporaryHost.with({}, { 'docker version': version });
      expect(await supportsStartInterval(host)).toBe(known);
    },
  );

  it('fails while Docker does not respond', async () => {
    const host = TemporaryHost.with({}, { 'docker version': 1 });
    await expect(supportsStartInterval(host)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  });
});
