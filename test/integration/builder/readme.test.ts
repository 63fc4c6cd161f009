import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { testKey } from '../../builder/bundle/archive/fixture.ts';
import { inTerminal, keys, type TerminalRun } from '../../pty/terminal.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { tinyGguf } from '../../stand-ins/engine/gguf/tiny-gguf.ts';
import { needs } from '../needs.ts';
import { servePlugin } from './builder-rig.ts';

const real = needs('registry', 'images');
const project = fileURLToPath(new URL('../../..', import.meta.url));
const oldNode = '20.20.2';
const prompt = 'newcomer$ ';
const sshKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me@laptop';

/** Returns the proxies and certificate authorities that npm needs on this machine. */
function networkSettings(): NodeJS.ProcessEnv {
  const names = /^(?:(?:https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|npm_config_registry)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)));
}

/** Types commands into one shell, as a person who follows the README does. */
class Newcomer {
  readonly #shell: TerminalRun;
  constructor(shell: TerminalRun) {
    this.#shell = shell;
  }

  /** Runs a command, answers its questions, and waits for the next prompt. */
  async run(command: string, answers: ReadonlyArray<readonly [string, string]> = []) {
    this.#shell.type(`${command}\n`);
    for (const [question, answer] of answers) {
      await this.#shell.shows(question);
      this.#shell.type(`${answer}${keys.enter}`);
    }
    await this.#shell.shows(prompt);
  }
}

real.describe('the steps of the README, on a terminal with Node 20', () => {
  let home: string;
  let commands: string[];
  let plugin: Awaited<ReturnType<typeof servePlugin>>;

  beforeAll(async () => {
    home = await workFolder();
    plugin = await servePlugin();
    const nodePackage = `node-linux-${process.arch}@${oldNode}`;
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    await execa('npm', ['install', '--prefix', join(home, 'node'), nodePackage, ...quiet]);
    await execa('git', ['clone', '--quiet', project, join(home, 'landfall')]);
    await mkdir(join(home, '.ssh'));
    await writeFile(join(home, '.ssh/id_ed25519.pub'), `${sshKey}\n`);
    const page = await readFile(join(project, 'docs/start/own-release.md'), 'utf8');
    const [, block = ''] = /```sh\n(git clone.*?)```/s.exec(page) ?? [];
    commands = block.split('\n').flatMap((line) => line.replace(/ +#.*/, '').trim() || []);
  });
  afterAll(() => plugin.close());

  it('lead to a verified full bundle and accepted user-data', async () => {
    const path = [
      join(home, `node/node_modules/node-linux-${process.arch}/bin`),
      join(home, '.npm-global/bin'),
      process.env.PATH,
    ].join(':');
    const shell = inTerminal(['bash', '--noprofile', '--norc', '-i'], {
      cwd: join(home, 'landfall'),
      columns: 120,
      limit: 300_000,
      env: {
        ...networkSettings(),
        ...{ HOME: home, PATH: path, PS1: prompt, npm_config_prefix: join(home, '.npm-global') },
        npm_config_cache: join(homedir(), '.npm'),
      },
    });
    const newcomer = new Newcomer(shell);
    await shell.shows(prompt);
    await newcomer.run('set -o errexit; node --version');
    await newcomer.run('npm run quickstart');
    await newcomer.run(
      'npm run landfall -- user-data --site builder/inputs/config/example-site.yaml --release dist/*.tar',
    );
    for (const command of commands) {
      if (command.startsWith('landfall init')) await newcomer.run(command, answers);
      else if (/^landfall (?:lock|build)/.test(command))
        await newcomer.run(`${command} ${mirrors}`);
      else await newcomer.run(command);
      if (command.startsWith('cd my-server')) await useLocalImages();
    }
    shell.type('exit\n');
    const { status, text } = await shell.end();
    expect(text).toContain(`v${oldNode}`);
    expect({ status, text }).toMatchObject({ status: 0 });
    expect(text).toContain('verified: landfall 0.1.0 for amd64');
    expect(text).toMatch(
      /upload +landfall-0\.1\.0-amd64\.tar {2}to {2}https:\/\/downloads\.example\.com\//,
    );
    const userData = await readFile(join(home, 'my-server/user-data.yaml'), 'utf8');
    expect(userData).toContain('#cloud-config');
  });

  it('start with a quickstart that works in a fork with its own keys', async () => {
    const fork = join(home, 'fork');
    await execa('git', ['clone', '--quiet', project, fork]);
    const keyOfFork = `trust:\n  release: [${testKey().public.spki}]\n`;
    await appendFile(join(fork, 'builder/inputs/appliance.yaml'), keyOfFork);
    const { stdout } = await execa('npm', ['run', 'quickstart'], { cwd: fork });
    expect(stdout).toContain('signature and');
  });

  const answers = [
    ['How large is the server?', ''],
    ['Which processor does the server have?', ''],
    ['How does the server get the release?', ''],
    ['URL of the folder', 'downloads.example.com/landfall/'],
    ['Which SSH keys may log in?', ''],
    ['Host name of the chat UI', 'chat.example.com'],
    ['Which TLS certificate', ''],
    ['Can the internet reach port 80', ''],
    ['terms of service', keys.down],
    ['Email address', 'me@example.com'],
    ['How does the server reach the internet?', ''],
    ['Does the server need mirrors', ''],
    ['Time zone of the server', ''],
    ['Hosted providers', ''],
  ] as const;
  const mirrors = ['docker.io', 'ghcr.io']
    .map((registry) => `--mirror ${registry}=http://${real.registry}`)
    .join(' ');

  /** Replaces what only public registries have: locked digests, models and the Compose plugin. */
  async function useLocalImages() {
    const file = join(home, 'my-server/appliance.yaml');
    const changes = {
      platforms: ['linux/amd64'],
      models: [{ name: 'tiny:1b', gguf: 'tiny.gguf' }],
      compose_plugin: { urls: [plugin.url] },
    };
    const appliance = parse(await readFile(file, 'utf8'));
    await writeFile(file, stringify({ ...appliance, ...changes }));
    await writeFile(join(home, 'my-server/tiny.gguf'), tinyGguf());
    await rm(join(home, 'my-server/appliance.lock.yaml'));
  }
});
