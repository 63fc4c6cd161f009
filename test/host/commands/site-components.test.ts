import { beforeAll, describe, expect, it } from 'vitest';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { sites, useChangedServer } from './changed-server.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'registry', 'composePlugin');

const textFile = '/etc/landfall/site.yaml';

/** The tests depend on their order. */
given.describe(`components that a change of the site of ${distribution} adds`, () => {
  const server = useChangedServer(given, distribution);
  let original: string;
  let etcBefore: string[];
  beforeAll(async () => {
    original = await output(`cat ${textFile}`);
    etcBefore = await server().fingerprint();
  });
  const output = (command: string) => server().host.output(command);
  const run = (command: string) => server().host.run(`${command} 2>&1`, { limit: 900 });

  describe('with a provider, a relay key, a front-end and a model', () => {
    it('adds them, and does not restart the gateway', async () => {
      const before = await server().startTimes();
      await server().write(sites.more);
      const { exitCode, stdout } = await run('landfall site apply --yes /root/site.yaml');
      expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
      expect(stdout).toContain('sudo landfall secret set SECOND_API_KEY');
      const after = await server().startTimes();
      expect(after).toMatchObject({ gateway: before.gateway });
      expect(Object.keys(after)).toContain('chat');
      expect(await output('landfall credentials --json')).toContain('phone');
      expect(await output('landfall models')).toContain('tiny:2b');
      await server().host.output('landfall secret set SECOND_API_KEY', { input: 'sk-second' });
      expect(await output('landfall secret list')).toMatch(/^SECOND_API_KEY +set/m);
    });

    it('removes them, and leaves the files of before', async () => {
      await server().host.put('/root/site.yaml', `${original}\n`);
      const { exitCode, stdout } = await run('landfall site apply --yes /root/site.yaml');
      expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
      expect(await output('docker ps --format {{.Names}}')).not.toContain('landfall-chat');
      expect(await server().fingerprint()).toEqual(etcBefore);
    });
  });

  it.each([
    ['an alert target', "site add alerts '{kind: webhook}'"],
    ['a relay key', 'site add relay.keys tablet'],
  ])('adds %s in a few seconds, with the stages of its plan and one result', async (_what, add) => {
    const began = performance.now();
    const { exitCode, stdout } = await run(`landfall ${add} --yes`);
    const seconds = (performance.now() - began) / 1000;
    process.stderr.write(`  landfall ${add}: ${seconds.toFixed(1)} s\n`);
    // Before what may fail: the later tests need the site of before.
    expect(await run('landfall site undo --yes')).toMatchObject({ exitCode: 0 });
    expect(await output(`cat ${textFile}`)).toBe(original);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    const work = stdout.slice(stdout.indexOf('applying the site'));
    expect(work).not.toMatch(/^(?:preflight|route|ssh|firewall|kernel|images): /m);
    expect(work).not.toContain('warning: ');
    expect(work.match(/The site is applied/g)).toHaveLength(1);
    // About 5 s on an idle machine, 30 s beside other servers on a slow one.
    expect(seconds).toBeLessThan(90);
  });
});
