import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { inBoth } from '#contract/text/language.ts';
import { fixCauses } from '../../../../appliance/operations/doctor/apply-fixes.ts';
import { diagnose } from '../../../../appliance/operations/doctor/diagnosis.ts';
import { type Finding, stageFix } from '../../../../appliance/operations/doctor/finding.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const healthy = diagnose([], []);
const of = (...findings: Finding[]) => diagnose([], findings);
const down = (name: Parameters<typeof stageFix>[0]): Finding => ({
  ...{ code: 'COMPONENT_DOWN', subject: 'ui', text: inBoth('x') },
  fix: stageFix(name),
});
const pending: Finding = {
  ...{ code: 'STAGE_PENDING', subject: 'report', text: inBoth('x') },
  fix: stageFix('report'),
};

/** Runs the fixes and returns the stages that ran. */
async function stagesOf(before: typeof healthy, ...later: (typeof healthy)[]) {
  const ran: string[] = [];
  const tools = {
    host: TemporaryHost.with({}),
    runStage: async (name: string) => void ran.push(name),
  };
  const examine = async () => later.shift() ?? healthy;
  const { after } = await fixCauses(before, examine, tools, async () => true);
  return { ran, after };
}

describe('fixes', () => {
  it('run once for several findings', async () => {
    const { ran, after } = await stagesOf(of(down('stack'), down('tls'), down('stack')));
    expect(ran).toEqual(['stack', 'tls']);
    expect(after).toEqual(healthy);
  });

  it('run once in total, even if they do not help', async () => {
    const still = of(down('stack'));
    const { ran, after } = await stagesOf(still, still);
    expect(ran).toEqual(['stack']);
    expect(after).toEqual(still);
  });

  it('reports that a fix had no effect if its finding is still there', async () => {
    const fixed = async (later: typeof healthy) => {
      const tools = { host: TemporaryHost.with({}), runStage: async () => {} };
      const before = of(down('stack'));
      const { results } = await fixCauses(
        before,
        async () => later,
        tools,
        async () => true,
      );
      return results;
    };
    expect(await fixed(healthy)).toEqual([{ does: stageFix('stack').does, outcome: 'applied' }]);
    expect(await fixed(of(down('stack')))).toMatchObject([
      { outcome: 'ineffective', remaining: [{ code: 'COMPONENT_DOWN', subject: 'ui' }] },
    ]);
  });

  it('run for a consequence only after its cause is fixed', async () => {
    const both = of(down('stack'), pending);
    expect((await stagesOf(both, of(pending))).ran).toEqual(['stack', 'report']);
    expect((await stagesOf(both, both)).ran).toEqual(['stack']);
  });

  // Regression: with broken settings of sshd, the report was written again without SSH.
  it('do not run for a consequence of a finding without a fix', async () => {
    const risk: Finding = { code: 'SSH_LOCKOUT_RISK', subject: 'ssh', text: inBoth('x') };
    expect((await stagesOf(of(risk, pending))).ran).toEqual([]);
  });

  it('skips declined fixes, and continues after a failed one', async () => {
    const ran: string[] = [];
    const tools = {
      host: TemporaryHost.with({}),
      runStage: async (name: string) => {
        if (name === 'stack') throw new LandfallError('STACK_UNHEALTHY', 'ui is exited');
        ran.push(name);
      },
    };
    const before = of(down('kernel'), down('stack'), down('tls'));
    const { results } = await fixCauses(
      before,
      async () => healthy,
      tools,
      async ({ does }) => does !== stageFix('kernel').does,
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(['declined', 'failed', 'applied']);
    expect(results[1]?.error).toMatchObject({ code: 'STACK_UNHEALTHY' });
    expect(ran).toEqual(['tls']);
  });
});
