import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTerminal, keys, type TerminalRun } from '../../pty/terminal.ts';
import { firstBooted } from '../boot/first-booted.ts';
import type { Premises } from '../boot/premises.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { addAlerts, leaksOf, type RouteAlerts } from './route-alerts.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'registry', 'composePlugin');

/** Commands, each with its exit status and a text in its output. */
const ends: ReadonlyArray<readonly [command: string, status: number, text: string]> = [
  ['help', 0, 'landfall status'],
  ['status', 0, 'smoke'],
  ['plan', 0, 'Models of this server'],
  ['credentials', 0, 'Chat UI, administrator'],
  ['doctor', 0, 'no findings'],
  ['doctor --symptom list', 0, 'browser-502'],
  ['doctor --symptom none', 2, 'Allowed choices are'],
  ['report', 0, 'Next steps'],
  ['completion bash', 0, 'complete -o default'],
  ['report --timings', 0, 'total '],
  ['models list', 0, 'No models.'],
  ['firewall list', 0, '443/tcp'],
  ['tls status', 0, 'chat.example.com'],
  ['editor check --editor code-server', 3, 'http.proxy is not set'],
  ['route test', 0, 'packages of'],
  ['route show', 0, 'direct, without a proxy'],
  ['route', 0, 'direct, without a proxy'],
  ['route pac', 3, 'the site has no proxy'],
  ['alert list', 0, 'This site has no alert targets.'],
  ['alert test', 11, 'this site has no alert targets'],
  ['smoke', 0, 'the administrator can sign in'],
  [
    'probe http://127.0.0.1:9 --echo http://127.0.0.1:9 --resolver http://127.0.0.1:9',
    5,
    'no route',
  ],
  ['first-boot', 0, 'smoke'],
  ['route off', 0, 'The route is off.'],
  ['route on', 0, 'The route of the site is on.'],
  ['sttus', 2, 'USAGE'],
  ['status --nonsense', 2, 'USAGE'],
  ['models pull tiny', 2, 'Add a tag, such as'],
  ['models remove tiny:1b', 2, 'model not found: tiny:1b'],
  ['secret set', 2, 'USAGE'],
  ['confirm', 0, 'No change is waiting for confirmation.'],
  ['firewall opne', 2, 'Choose from: list'],
  ['models pull --help', 0, 'Usage: landfall models pull'],
  ['--version', 0, `-${process.arch === 'x64' ? 'amd64' : process.arch}`],
];

given.describe(`the commands of ${distribution} on a terminal`, () => {
  let premises: Premises;
  beforeAll(async () => {
    premises = await firstBooted(given, distribution);
  });
  afterAll(() => premises?.close());

  /**
   * Runs as root on the server's console. The mark identifies processes that a command leaves
   * behind.
   */
  function start(command: string): TerminalRun {
    const { container } = premises.host;
    const variables = ['--env', 'LANDFALL_TEST_MARK', '--env', 'TERM'];
    const exec = ['docker', 'exec', '--interactive', '--tty', ...variables, container.id];
    return inTerminal([...exec, 'landfall', ...command.split(' ')], {
      cwd: tmpdir(),
      env: { DOCKER_HOST: `unix://${given.dependencies.engine}` },
      limit: 300_000,
    });
  }

  it.each(ends)('landfall %s ends', async (command, status, text) => {
    const end = await start(command).end();
    expect(end.text).toContain(text);
    expect(end.status, end.text).toBe(status);
  });

  it('has bash completion for its commands', async () => {
    const script = `. /usr/share/bash-completion/completions/landfall
      COMP_WORDS=(landfall models pu) COMP_CWORD=2
      _landfall
      echo "$COMPREPLY"`;
    const { stdout } = await premises.host.run(`bash -c '${script}'`);
    expect(stdout.trim()).toBe('pull');
  });

  it('landfall secret set ends on Ctrl-C and sets nothing', async () => {
    const { host } = premises;
    const stored = () => host.output('cat /etc/landfall/secrets/TINYPROXY_PASSWORD');
    const before = await stored();
    const run = start('secret set TINYPROXY_PASSWORD');
    await run.shows('(hidden): ');
    run.type(`half${keys.interrupt}`);
    const { status, text } = await run.end();
    expect(text).not.toContain('half');
    expect(status).toBe(130);
    expect(await stored()).toBe(before);
  });

  describe('the route check', () => {
    let alerts: RouteAlerts;
    beforeAll(async () => {
      alerts = await addAlerts(premises);
    });
    afterAll(() => alerts?.close());
    const checks = async (count: number) => {
      for (let done = 0; done < count; done += 1) await alerts.check();
    };

    it('is run by a timer, whose unit works in its sandbox', async () => {
      const { host } = premises;
      expect(await host.output('systemctl is-active landfall-route.timer')).toBe('active');
      await checks(1);
      const state = JSON.parse(await host.output('cat /var/lib/landfall/route-state.json'));
      const found = Object.entries<{ state: string; failures: number }>(state.subjects);
      expect(found.map(([name, { failures }]) => [name, failures])).toEqual(
        expect.arrayContaining([
          ['the route', 0],
          ['packages of deb.debian.org', 0],
          ['provider openai', 0],
        ]),
      );
      expect(found.filter(([, { failures }]) => failures > 0)).toEqual([]);
    });

    it('sends one alert when a provider fails, and one when it works again', async () => {
      alerts.setProvider(false);
      await checks(2);
      expect(alerts.receiver.received).toEqual([]);
      await checks(2);
      expect(alerts.receiver.accepted).toEqual([
        expect.stringContaining('Failed: provider openai, since'),
      ]);
      // The relay, which this provider needs, is not in the bundle: the status has an exit code.
      const status = () => premises.host.output('landfall status || true');
      expect(await status()).toContain('route: provider openai failed since');
      expect(await premises.host.output('landfall report')).toContain('provider openai failed');
      alerts.setProvider(true);
      await checks(2);
      expect(alerts.receiver.accepted.slice(1)).toEqual([
        expect.stringContaining('Working again: provider openai'),
      ]);
      expect(await status()).toContain('route: working');
    });

    it('keeps the secret of the target in its own file', async () => {
      expect(await premises.host.output('landfall alert test')).toContain('sent');
      expect(await leaksOf(premises)).toEqual(['/etc/landfall/secrets/alert-webhook-url']);
    });
  });

  it('landfall models pull ends on Ctrl-C', async () => {
    const run = start('models pull tiny:1b');
    await run.shows('pulling tiny:1b');
    run.type(keys.interrupt);
    expect((await run.end()).status).toBe(130);
  });

  it('landfall first-boot ends on Ctrl-C, and the next run continues', async () => {
    const run = start('first-boot');
    await run.shows('preflight');
    run.type(keys.interrupt);
    expect((await run.end()).status).toBe(130);
    expect((await start('first-boot').end()).status).toBe(0);
  });
});
