import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { applyFixes, fixesOf } from '../../../appliance/doctor/apply-fixes.ts';
import { stageFix } from '../../../appliance/doctor/finding.ts';
import { TemporaryHost } from '../temporary-host.ts';

const finding = { code: 'COMPONENT_DOWN', subject: 'ui', text: 'x' } as const;

describe('fixes', () => {
  it('run once for several findings', async () => {
    const fixes = fixesOf([
      { ...finding, fix: stageFix('stack') },
      finding,
      { ...finding, fix: stageFix('tls') },
      { ...finding, fix: stageFix('stack') },
    ]);
    const ran: string[] = [];
    const tools = {
      host: TemporaryHost.with({}),
      runStage: async (name: string) => void ran.push(name),
    };
    await applyFixes(fixes, tools, async () => true);
    expect(ran).toEqual(['stack', 'tls']);
  });

  it('are skipped if declined, and continue after a failure', async () => {
    const ran: string[] = [];
    const tools = {
      host: TemporaryHost.with({}),
      runStage: async (name: string) => {
        if (name === 'stack') throw new LandfallError('STACK_UNHEALTHY', 'ui is exited');
        ran.push(name);
      },
    };
    const fixes = [stageFix('kernel'), stageFix('stack'), stageFix('tls')];
    const results = await applyFixes(fixes, tools, async (fix) => fix !== fixes[0]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['declined', 'failed', 'applied']);
    expect(results[1]?.error).toMatchObject({ code: 'STACK_UNHEALTHY' });
    expect(ran).toEqual(['tls']);
  });
});
