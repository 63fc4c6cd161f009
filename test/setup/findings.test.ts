import { describe, expect, it } from 'vitest';
import { Findings } from './findings.ts';
import { Unmet } from './unmet.ts';

describe('what a preparation finds', () => {
  it('reaches tests as a value, or as the reason why there is none', async () => {
    const findings = new Findings(() => undefined);
    expect(await findings.provide('registryAuth', () => '127.0.0.1:5000')).toBe('127.0.0.1:5000');
    const missing = await findings.provide('engine', () => {
      throw new Unmet('only root may');
    });
    expect(missing).toBeUndefined();
    expect(findings.variables()).toMatchObject({
      LANDFALL_TEST_REGISTRY_AUTH: '127.0.0.1:5000',
      LANDFALL_TEST_UNMET_ENGINE: 'only root may',
      LANDFALL_TEST_UNMET_TRIXIE: 'it was not prepared',
    });
  });

  it('names both at once for nothing', async () => {
    const findings = new Findings(() => undefined);
    await findings.provide('engine', () => '/run/engine.sock');
    expect(findings.variables()).not.toHaveProperty('LANDFALL_TEST_UNMET_ENGINE');
  });

  it('tells the person at the screen why a part is missing', async () => {
    const said: string[] = [];
    const findings = new Findings((topic, text) => said.push(`${topic}: ${text}`));
    await findings.provide('images', async () => {
      throw new Error('first\nE: no such package\n');
    });
    expect(said).toEqual(['images: not here: first; E: no such package']);
  });
});
