import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../pty/terminal.ts';
import { firstBooted } from '../boot/first-booted.ts';
import type { Premises } from '../boot/premises.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { startOnServer } from './start-on-server.ts';
import { itChecksForUpdates } from './update-view.ts';
import { WatchedProcesses } from './watched-processes.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'serverBundle');

/** Commands, each with its exit status and a text in its output. */
const ends: ReadonlyArray<readonly [command: string, status: number, text: string]> = [
  ['help', 0, 'landfall status'],
  ['status', 0, 'smoke'],
  ['overview', 0, 'landfall report'],
  ['logs --lines 5', 0, ' | '],
  ['logs boot --since 1d --grep landfall', 0, 'boot '],
  ['logs nginx', 2, 'Choose from: '],
  ['restart nginx', 2, 'Choose from: '],
  ['restart tinyproxy --yes', 0, 'tinyproxy has been restarted and is healthy.'],
  ['stop tinyproxy --yes', 0, 'sudo landfall start tinyproxy'],
  ['status', 0, 'tinyproxy was stopped by an administrator, since '],
  ['overview', 0, 'stopped: tinyproxy'],
  // No model of the release fits this server, and its site has no provider.
  ['doctor', 12, '1 finding. Start with CHAT_NO_MODEL'],
  ['start tinyproxy', 0, 'tinyproxy is running and healthy.'],
  ['plan', 0, 'Models of this server'],
  ['site', 0, 'ssh_keys:'],
  ['site show hosts.chart', 0, ''],
  ['site show host', 2, 'Did you mean hosts?'],
  ['site diff', 0, 'The sites are the same.'],
  ['site diff /etc/landfall/site.json', 0, 'The sites are the same.'],
  ['site apply /etc/landfall/site.json', 0, 'The sites are the same.'],
  ['site set host.ui a.example.com', 3, 'host'],
  ['site add admin.user x', 2, 'admin.user is not a list'],
  ['site remove timezone', 0, 'The sites are the same.'],
  ['site undo', 11, 'the site was not changed yet'],
  ['site history', 0, 'The site was not changed yet.'],
  ['credentials', 0, 'Chat UI, administrator'],
  ['doctor', 12, '1 finding. Start with CHAT_NO_MODEL'],
  ['doctor --symptom list', 0, 'browser-502'],
  ['doctor --symptom none', 2, 'Allowed choices are'],
  ['report', 0, 'Next steps'],
  ['completion bash', 0, 'complete -o default'],
  ['report --timings', 0, 'total '],
  ['models list', 0, 'No models.'],
  ['engines', 2, 'the site has no engines'],
  ['engines show', 0, 'role: engine-node'],
  ['engines drain gpu1', 2, 'sudo landfall site edit'],
  ['node', 2, 'sudo landfall site set engines.swarm.slots 1'],
  ['node token gpu1', 2, 'the site has no engines.swarm'],
  ['node join', 2, 'only an engine node can join'],
  ['node drain gpu1', 2, 'the site has no engines.swarm'],
  ['node resume gpu1', 2, 'the site has no engines.swarm'],
  ['node remove gpu1 --yes', 2, 'the site has no engines.swarm'],
  ['node leave', 2, 'this server is no node of a Swarm'],
  ['stack render --swarm', 0, '127.0.0.1:9/landfall/engine:'],
  ['firewall list', 0, '443/tcp'],
  ['access', 2, 'the site has no access'],
  ['access add phone', 2, 'sudo landfall site set access.mode wireguard'],
  ['access remove phone --yes', 2, 'the site has no access'],
  ['tls status', 0, 'chat.example.com'],
  ['editor check --editor code-server', 3, 'http.proxy is not set'],
  ['route test', 0, 'packages of'],
  ['route show', 0, 'direct, without a proxy'],
  ['route', 0, 'direct, without a proxy'],
  ['route pac', 3, 'the site has no proxy'],
  ['route export --format mihomo --output -', 3, 'no proxies were imported'],
  ['route import /missing.yaml', 8, 'does not exist'],
  ['route import --refresh', 3, 'no subscription was imported'],
  ['update status', 0, 'This server has no channel'],
  ['update check', 0, 'This server has no channel'],
  ['update download', 0, 'This server has no channel'],
  ['update discard', 0, 'There is no downloaded release.'],
  ['backup', 0, 'There are no backups'],
  ['backup run', 11, 'backups are not set up'],
  ['backup list', 11, 'backups are not set up'],
  ['backup check', 11, 'backups are not set up'],
  ['backup test', 11, 'backups are not set up'],
  ['backup init', 2, 'the site has no `backup`'],
  ['backup key show', 11, 'there is no password yet'],
  ['restore', 11, 'backups are not set up'],
  ['backup key new', 11, 'there is no password yet'],
  ['export /root/exported', 0, ' of 1 accounts to /root/exported: '],
  ['export /root/exported', 8, '/root/exported is not empty'],
  ['uninstall --help', 0, 'Usage: landfall uninstall'],
  ['alert list', 0, 'This site has no alert targets.'],
  ['alert test', 11, 'this site has no alert targets'],
  ['relay usage', 0, 'No relay key has a budget.'],
  ['relay usage --since 90d', 2, 'Use a number of days'],
  ['relay key add anna --tokens-per-day many', 2, 'Use a whole number'],
  ['relay key remove anna', 2, 'the site has no relay key "anna"'],
  ['relay key rotate owner --yes', 2, 'RELAY_KEY_OWNER'],
  ['ui', 0, 'administrator'],
  ['ui users --json', 0, '"role": "admin"'],
  ['ui users add anna@example.com', 0, 'It is not shown again.'],
  ['ui users add anna', 2, 'anna is not an email address'],
  ['site fields tls.mode', 0, 'The source of the certificate.'],
  ['ui password none@example.com --yes', 2, 'the chat UI has no account "none@example.com"'],
  ['ui password --yes', 0, 'To see it again: sudo landfall credentials'],
  ['secret list', 0, 'WEBUI_SECRET_KEY'],
  ['secret rotate', 2, 'no secret was named'],
  ['secret rotate WEBUI_ADMIN_PASSWORD', 2, 'landfall ui password'],
  ['secret rotate --all-generated --yes', 0, 'TINYPROXY_PASSWORD'],
  // With the new passwords of the administrator and of the proxy.
  ['smoke', 0, 'the administrator can sign in'],
  [
    'probe http://127.0.0.1:9 --echo http://127.0.0.1:9 --resolver http://127.0.0.1:9',
    5,
    'no route',
  ],
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
  ['engines test --help', 0, 'Usage: landfall engines test'],
  ['--version', 0, `-${process.arch === 'x64' ? 'amd64' : process.arch}`],
];

given.describe(`the commands of ${distribution} on a terminal`, () => {
  let premises: Premises;
  let watched: WatchedProcesses;
  beforeAll(async () => {
    premises = await firstBooted(given, distribution);
    watched = await WatchedProcesses.start(premises.host);
  });
  afterAll(() => premises?.close());
  afterEach(() => watched.noteSecrets());

  const start = (command: string) => startOnServer(given.dependencies, premises.host, command);

  it.each(ends)('landfall %s ends', async (command, status, text) => {
    const end = await start(command).end();
    expect(end.text).toContain(text);
    expect(end.status, end.text).toBe(status);
  });

  it('completes the commands of landfall in bash', async () => {
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

  /** Returns when the container of a component started. */
  const startOf = (name: string) =>
    premises.host.output(`docker inspect --format '{{.State.StartedAt}}' landfall-${name}`);
  const startsOf = async () => ({
    ...{ ui: await startOf('ui'), engine: await startOf('engine') },
    ...{ gateway: await startOf('gateway'), tinyproxy: await startOf('tinyproxy') },
  });
  const secretOf = (name: string) => premises.host.output(`cat /etc/landfall/secrets/${name}`);

  it('landfall secret rotate replaces one secret and restarts only its reader', async () => {
    const [before, starts] = [await secretOf('TINYPROXY_PASSWORD'), await startsOf()];
    const refused = start('secret rotate TINYPROXY_PASSWORD');
    await refused.shows('Replace them? [y/N] ');
    refused.type(`n${keys.enter}`);
    expect((await refused.end()).text).toContain('Nothing was changed.');
    expect(await secretOf('TINYPROXY_PASSWORD')).toBe(before);
    const run = start('secret rotate TINYPROXY_PASSWORD');
    await run.shows('Replace them? [y/N] ');
    run.type(`y${keys.enter}`);
    const { status, text } = await run.end();
    expect(status, text).toBe(0);
    const after = await secretOf('TINYPROXY_PASSWORD');
    expect(after).not.toBe(before);
    expect(text).not.toContain(after.trim());
    const { tinyproxy, ...others } = await startsOf();
    expect(tinyproxy).not.toBe(starts.tinyproxy);
    expect({ tinyproxy: starts.tinyproxy, ...others }).toEqual(starts);
  });

  it('landfall secret rotate replaces the signing key only after the whole word', async () => {
    const [before, starts] = [await secretOf('WEBUI_SECRET_KEY'), await startsOf()];
    const run = start('secret rotate WEBUI_SECRET_KEY');
    await run.shows('must sign in again');
    await run.shows('Type "yes" to replace them: ');
    run.type(`y${keys.enter}`);
    expect((await run.end()).text).toContain('Nothing was changed.');
    const interrupted = start('secret rotate WEBUI_SECRET_KEY');
    await interrupted.shows('Type "yes" to replace them: ');
    interrupted.type(keys.interrupt);
    expect((await interrupted.end()).status).toBe(130);
    expect(await secretOf('WEBUI_SECRET_KEY')).toBe(before);
    expect(await startsOf()).toEqual(starts);
    const confirmed = start('secret rotate WEBUI_SECRET_KEY');
    await confirmed.shows('Type "yes" to replace them: ');
    confirmed.type(`yes${keys.enter}`);
    const { status, text } = await confirmed.end();
    expect(status, text).toBe(0);
    expect(await secretOf('WEBUI_SECRET_KEY')).not.toBe(before);
    const { ui, ...others } = await startsOf();
    expect(ui).not.toBe(starts.ui);
    expect({ ui: starts.ui, ...others }).toEqual(starts);
  });

  it('landfall ui password asks twice, restarts nothing and shows no typed password', async () => {
    const [starts, stored] = [await startsOf(), await secretOf('WEBUI_ADMIN_PASSWORD')];
    const typed = async (second: string) => {
      const run = start('ui password --ask');
      await run.shows('[y/N] ');
      run.type(`y${keys.enter}`);
      await run.shows('New password (hidden): ');
      run.type(`My-own-1-word${keys.enter}`);
      await run.shows('The same again (hidden): ');
      run.type(`${second}${keys.enter}`);
      return await run.end();
    };
    expect(await typed('My-own-2-word')).toMatchObject({ status: 2 });
    const { status, text } = await typed('My-own-1-word');
    expect(status, text).toBe(0);
    expect(text).not.toContain('My-own');
    expect(text).toContain('still shows the earlier password');
    expect(await startsOf()).toEqual(starts);
    expect(await secretOf('WEBUI_ADMIN_PASSWORD')).toBe(stored);
    expect((await start('plan').end()).text).not.toContain('ui/secrets.env');
  });

  it('landfall first-boot applies a new secret after Ctrl-C in landfall secret rotate', async () => {
    const starts = await startsOf();
    const run = start('secret rotate TINYPROXY_PASSWORD --yes');
    await run.shows('starting the services');
    run.type(keys.interrupt);
    expect((await run.end()).status).toBe(130);
    const next = await start('first-boot').end();
    expect(next.status, next.text).toBe(0);
    const password = await secretOf('TINYPROXY_PASSWORD');
    const rendered = 'cat /var/lib/landfall/stack/tinyproxy/tinyproxy.conf';
    expect(await premises.host.output(rendered)).toContain(` ${password.trim()}`);
    const { tinyproxy, ...others } = await startsOf();
    expect(tinyproxy).not.toBe(starts.tinyproxy);
    expect({ tinyproxy: starts.tinyproxy, ...others }).toEqual(starts);
  });

  it('landfall restart ends on another answer than y, and restarts nothing', async () => {
    const { host } = premises;
    const started = () =>
      host.output("docker inspect --format '{{.State.StartedAt}}' landfall-tinyproxy");
    const before = await started();
    const run = start('restart tinyproxy');
    await run.shows('[y/N] ');
    run.type(`maybe${keys.enter}`);
    const { status, text } = await run.end();
    expect(text).toContain('connections through the HTTP proxy are cut');
    expect(text).toContain('Nothing was changed.');
    expect(status).toBe(0);
    expect(await started()).toBe(before);
  });

  it('landfall logs --follow ends on Ctrl-C without a message', async () => {
    const run = start('logs gateway --follow');
    await run.shows('gateway');
    run.type(keys.interrupt);
    const { status, text } = await run.end();
    expect(text).not.toMatch(/error|signal/i);
    expect(status).toBe(130);
  });

  it('landfall without arguments prints five lines without colours to a program, in 1.5 seconds of CPU time', async () => {
    const { host } = premises;
    const text = await host.output('landfall');
    const labels = ['stack', 'release', 'backup', 'alerts', 'warnings'];
    expect(
      text
        .split('\n')
        .slice(0, 5)
        .map((line) => line.split(' ')[0]),
    ).toEqual(labels);
    expect(text).not.toContain('\u001b');
    expect(text.trim().split('\n')).toHaveLength(9);
    // Of CPU time: other servers share the processors with this one.
    const { stderr } = await host.run(['bash', '-c', 'TIMEFORMAT="%U %S"; time landfall']);
    const [user = NaN, system = NaN] = stderr.trim().split(' ').map(Number);
    expect(user + system).toBeLessThan(1.5);
  });

  it('landfall without arguments says to other users which line needs sudo', async () => {
    const text = await premises.host.output('setpriv --reuid 65534 --clear-groups landfall');
    expect(text).toMatch(/^release +\d/m);
    expect(text).toContain('stack, backup, alerts, warnings: shown to root only: sudo landfall');
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
    const next = await start('first-boot').end();
    expect(next.text).toContain('smoke');
    expect(next.status, next.text).toBe(0);
  });

  describe('then with a channel of releases', () => itChecksForUpdates(() => premises));

  it('leaves no secret in the arguments of a process or in the journal, during all these commands', async () => {
    expect(await watched.found()).toEqual([]);
  });
});
