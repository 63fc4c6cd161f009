import { afterAll, beforeAll, expect, it } from 'vitest';
import { keys } from '../../pty/terminal.ts';
import { firstBooted } from '../boot/first-booted.ts';
import type { Premises } from '../boot/premises.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { startOnServer } from './start-on-server.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'serverBundle');

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
  ['backup init', 2, 'the site has no `backup`'],
  ['backup key show', 11, 'there is no password yet'],
  ['alert list', 0, 'This site has no alert targets.'],
  ['alert test', 11, 'this site has no alert targets'],
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
  ['--version', 0, `-${process.arch === 'x64' ? 'amd64' : process.arch}`],
];

given.describe(`the commands of ${distribution} on a terminal`, () => {
  let premises: Premises;
  beforeAll(async () => {
    premises = await firstBooted(given, distribution);
  });
  afterAll(() => premises?.close());

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
});
