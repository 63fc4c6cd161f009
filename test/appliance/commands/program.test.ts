import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serverProgram } from '../../../appliance/commands/program.ts';
import { landfall } from './landfall.ts';

afterEach(() => vi.restoreAllMocks());

const output = { stdout: new PassThrough(), stderr: new PassThrough() };
const names = serverProgram(output)
  .commands.map((command) => command.name())
  // Not as root: for units without privileges, and for ssh.
  .filter((name) => name !== 'serve-page' && name !== 'ssh-through-proxy');

/** Calls of every command, and whether it must be run as root. */
const calls: ReadonlyArray<readonly [call: string, root: boolean]> = [
  ['first-boot', true],
  ['plan', true],
  ['site show hosts.ui --json', true],
  ['site diff site.yaml', true],
  ['site apply site.yaml --yes', true],
  ['site apply', true],
  ['site diff', true],
  ['site edit', true],
  ['site undo --yes', true],
  ['site set hosts.ui chat.example.com', true],
  ['site add models qwen3:4b --yes', true],
  ['site remove timezone', true],
  ['site history', true],
  ['site fields tls --json', true],
  ['plan --json', true],
  ['firewall', true],
  ['firewall list --json', true],
  ['firewall allow 8443/tcp', true],
  ['firewall deny 8443/tcp', true],
  ['firewall remove 8443/tcp', true],
  ['firewall apply', true],
  ['access', true],
  ['access add phone --json', true],
  ['access remove phone --yes', true],
  ['confirm', true],
  ['uninstall --delete-data', true],
  ['credentials --json', true],
  ['secret set OPENAI_API_KEY', true],
  ['secret list --json', true],
  ['secret rotate RELAY_KEY_OWNER', true],
  ['secret rotate --all-generated --yes', true],
  ['relay', true],
  ['relay usage --key intern --since 7d --json', true],
  ['relay usage --csv', true],
  ['relay client', true],
  ['relay client claude-code --key anna --budget 3M/month --model qwen3:8b --yes', true],
  ['relay client cherry-studio --qr --api openai --json', true],
  ['relay key add anna --tokens-per-month 3000000 --models gpt-5-mini --expires 2027-03-31', true],
  ['relay key rotate anna --yes', true],
  ['relay key remove anna --yes', true],
  ['ui', true],
  ['ui users --json', true],
  ['ui users add anna@example.com --role admin', true],
  ['ui password', true],
  ['ui password me@example.com --ask --yes', true],
  ['smoke --json --junit results.xml', true],
  ['tls', true],
  ['tls status --json', true],
  ['tls renew --force --scheduled', true],
  ['models', true],
  ['models list --json', true],
  ['models --json', true],
  ['models fit', true],
  ['models fit --context 65536 --json', true],
  ['models pull qwen3:8b --mirror https://mirror.example', true],
  ['models pull --mirror https://mirror.example qwen3:8b', true],
  ['models remove qwen3:8b', true],
  ['engines', true],
  ['engines list --json', true],
  ['engines show --json', true],
  ['engines drain gpu1', true],
  ['engines resume gpu1 --json', true],
  ['engines test gpu1', true],
  ['node', true],
  ['node list --json', true],
  ['node token gpu1', true],
  ['node join', true],
  ['node drain gpu1', true],
  ['node resume gpu1 --json', true],
  ['node remove gpu1 --yes', true],
  ['node leave --yes', true],
  ['stack render --swarm', true],
  ['route', true],
  ['route show --json', true],
  ['route on', true],
  ['route off', true],
  ['route redirect --user alice', true],
  ['route redirect --off', true],
  ['route proxychains', true],
  ['route proxychains --off', true],
  ['route pac', true],
  ['route import proxies.yaml --json', true],
  ['route import --refresh --strict', true],
  ['route export --format mihomo --output config.yaml', true],
  ['route test --json', true],
  ['route test --scheduled', true],
  ['update', true],
  ['update status --json', true],
  ['update check --json', true],
  ['update check --scheduled', true],
  ['update 1.2.0 --dry-run --retry', true],
  ['update install ./landfall-1.2.0-amd64.tar --yes --max-pause 300', true],
  ['update rollback --restore-data --yes', true],
  ['update resume', true],
  ['update history --json', true],
  ['update download', true],
  ['update discard', true],
  ['backup', true],
  ['backup status --json', true],
  ['backup init', true],
  ['backup run --scheduled', true],
  ['backup list --json', true],
  ['backup check', true],
  ['backup test --scheduled', true],
  ['backup key show --yes', true],
  ['restore 4bba301e --from 2 --yes', true],
  ['restore --undo', true],
  ['backup key new', true],
  ['export /srv/export --json', true],
  ['alert', true],
  ['alert list --json', true],
  ['alert test --json', true],
  ['probe http://127.0.0.1:9 --json', false],
  ['probe hub org/model --json', false],
  ['logs ui --follow --since 1h --json', true],
  ['restart ui --yes', true],
  ['stop chat --yes', true],
  ['start chat', true],
  ['overview', false],
  ['status', false],
  ['doctor --json', false],
  ['doctor --fix', false],
  ['report', false],
  ['report --timings', false],
  ['editor configure --proxy http://10.0.0.2:7890 --editor code-server', false],
  ['editor check --json', false],
  ['editor remove --settings settings.json', false],
  ['completion bash', false],
];

/** Calls of commands for units and other programs, all as root. */
const internalCalls = [
  'apply-transaction',
  'apply-release --transaction id --phase plan',
  'volume-task facts /volume id',
];

describe('the commands of a server', () => {
  it.each(names)('lists a tested call for every command: %s', (name) => {
    const all = [...calls.map(([call]) => call), ...internalCalls];
    const called = all.some((call) => call.split(' ')[0] === name);
    expect(called, `add a call of "${name}" to the table in this file`).toBe(true);
  });

  it.each([...calls.filter(([, root]) => root).map(([call]) => call), ...internalCalls])(
    'refuse users other than root: landfall %s',
    async (call) => {
      vi.spyOn(process, 'getuid').mockReturnValue(1000);
      const { code, stdout, stderr } = await landfall(...call.split(' '));
      expect(code).toBe(11);
      expect(stdout + stderr).toMatch(/NOT_ROOT.*landfall [a-z-]+( [a-z]+)* must be run as root/);
    },
  );

  it.each(calls)(
    'prints an example in the help of a command, with sudo for root: landfall %s',
    async (call, root) => {
      const [name = ''] = call.split(' ');
      const { stdout } = await landfall(name, '--help');
      expect(stdout).toMatch(new RegExp(`^  ${root ? 'sudo ' : ''}landfall ${name}( |$)`, 'm'));
    },
  );

  it('do not print arguments in NOT_ROOT errors: one may be a secret', async () => {
    vi.spyOn(process, 'getuid').mockReturnValue(1000);
    const { stderr } = await landfall('secret', 'set', 'OPENAI_API_KEY', 'sk-very-secret');
    expect(stderr).toContain('hint: Run: sudo landfall secret set\n');
    expect(stderr).not.toContain('sk-very-secret');
  });
});

describe('an invalid call', () => {
  it.each([
    [['dance'], "unknown command 'dance'"],
    [['status', '--jason'], "unknown option '--jason'"],
    [['status', 'now'], 'too many arguments'],
    [['status', '--json=no', '--watch'], "unknown option '--json=no'"],
    [['plan', '-j'], "unknown option '-j'"],
    [['first-boot', 'now'], 'too many arguments'],
    [['confirm', 'all'], 'too many arguments'],
    [['smoke', '--junit'], 'argument missing'],
    [['firewall', 'open'], "unknown command 'open'"],
    [['firewall', 'constructor'], "unknown command 'constructor'"],
    [['firewall', ''], "unknown command ''"],
    [['firewall', 'apply', 'now'], 'too many arguments'],
    // Only the first port was opened, and the second was ignored silently.
    [['firewall', 'allow', '80/tcp', '8443/tcp'], 'got 2: 80/tcp, 8443/tcp'],
    [['firewall', 'deny', '80/tcp', '8443/tcp'], 'got 2: 80/tcp, 8443/tcp'],
    [['relay', 'client', 'codex', '--budget', '3M'], 'such as 3M/month'],
    [['relay', 'client', 'codex', '--budget', '9000000M/day'], 'such as 3M/month'],
    [['relay', 'client', 'codex', '--api', 'grpc'], 'Allowed choices are openai'],
    [['models', 'fit', '--context', '64k'], 'a number of tokens up to 1048576'],
    [['models', 'pull'], "missing required argument 'name'"],
    [['models', 'pull', 'a:1', '--insecure'], "unknown option '--insecure'"],
    [['models', 'pull', 'a:1', '--mirror'], 'argument missing'],
    [['models', 'remove', 'a:1', 'b:2'], 'got 2: a:1, b:2'],
    [['ui', 'pasword'], "unknown command 'pasword'"],
    [['ui', 'password', 'me@example.com', 'secret'], 'too many arguments'],
    [['stop'], "missing required argument 'component'"],
    [['restart', 'ui', 'chat'], 'got 2: ui, chat'],
    [['logs', '--since', '1 week'], 'a duration such as 30m, 1h or 2d'],
    [['logs', '--since', '0h'], 'a duration such as 30m, 1h or 2d'],
    [['logs', '--lines', '0'], 'a number from 1 to 10000'],
    [['export'], "missing required argument 'folder'"],
  ])('rejects an invalid call before anything runs: %j', async (args, reason) => {
    const { code, stderr } = await landfall(...args);
    expect(code).toBe(2);
    expect(stderr).toContain('error USAGE: ');
    expect(stderr).toContain(reason);
    expect(stderr).toMatch(/\nhint: .+\n$/);
  });

  it('lists the subcommands if one is unknown', async () => {
    const { stderr } = await landfall('firewall', 'opne');
    expect(stderr).toContain('hint: Choose from: list, allow, deny, apply.');
  });
});

describe('completion on a server', () => {
  it('omits commands and options that only systemd uses', async () => {
    const { stdout } = await landfall('completion', 'bash');
    expect(stdout).toContain('models pull');
    expect(stdout).not.toContain('serve-page');
    expect(stdout).not.toContain('--scheduled');
  });
});
