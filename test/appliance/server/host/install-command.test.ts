import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandFile, compiledCodeFolder } from '#contract/server-paths.ts';
import {
  completionFile,
  installCommand,
  manualFile,
} from '../../../../appliance/server/host/install-command.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const completion = 'complete -F _landfall landfall\n';
const files = { completion, manual: '.TH LANDFALL 8\n' };

describe('the command landfall', () => {
  it('installs the command landfall as a shell script that every user can run', async () => {
    const host = TemporaryHost.with({});
    await installCommand(host, files);
    execFileSync('sh', ['-n', host.path(commandFile)]);
    expect(statSync(host.path(commandFile)).mode & 0o777).toBe(0o755);
  });

  it('keeps compiled code in a folder that only root can read and write', async () => {
    const host = TemporaryHost.with({});
    await installCommand(host, files);
    expect(statSync(host.path(compiledCodeFolder)).mode & 0o777).toBe(0o700);
    expect(readFileSync(host.path(commandFile), 'utf8')).toContain(
      `NODE_COMPILE_CACHE=/${compiledCodeFolder}\n`,
    );
  });

  it('replaces an existing file and is then unchanged', async () => {
    const host = TemporaryHost.with({ [commandFile]: 'something else' });
    await installCommand(host, files);
    const { ino } = statSync(host.path(commandFile));
    await installCommand(host, files);
    expect(statSync(host.path(commandFile)).ino).toBe(ino);
  });
});

describe('the completion of landfall for bash', () => {
  it('installs the completion for bash as a world-readable file in the folder of bash-completion', async () => {
    const host = TemporaryHost.with({});
    await installCommand(host, files);
    expect(completionFile).toBe('usr/share/bash-completion/completions/landfall');
    expect(readFileSync(host.path(completionFile), 'utf8')).toBe(completion);
    expect(statSync(host.path(completionFile)).mode & 0o777).toBe(0o644);
  });

  it('replaces the file of an older release and is then unchanged', async () => {
    const host = TemporaryHost.with({ [completionFile]: 'complete -W status landfall\n' });
    await installCommand(host, files);
    expect(readFileSync(host.path(completionFile), 'utf8')).toBe(completion);
    const { ino } = statSync(host.path(completionFile));
    await installCommand(host, files);
    expect(statSync(host.path(completionFile)).ino).toBe(ino);
  });
});

describe('the manual page of landfall', () => {
  it('installs the manual page as a world-readable file in a folder of man', async () => {
    const host = TemporaryHost.with({});
    await installCommand(host, files);
    expect(manualFile).toBe('usr/local/share/man/man8/landfall.8');
    expect(readFileSync(host.path(manualFile), 'utf8')).toBe(files.manual);
    expect(statSync(host.path(manualFile)).mode & 0o777).toBe(0o644);
  });
});

describe('the command run by a user other than root', () => {
  it('uses sudo if that needs no password', async () => {
    const { stdout, status } = await startedBy('exit 0');
    expect({ stdout, status }).toEqual({
      stdout: `sudo <-n> <--> </${commandFile}> <status> <--watch>\n`,
      status: 0,
    });
  });

  // sudo clears the environment, so NO_COLOR was lost.
  it('passes NO_COLOR and no other variable to sudo', async () => {
    const wish = { NO_COLOR: 'yes, none', COLUMNS: '40' };
    const { stdout } = await startedBy('exit 0', { environment: wish });
    expect(stdout).toBe(
      `sudo <-n> <NO_COLOR=yes, none> <--> </${commandFile}> <status> <--watch>\n`,
    );
    const without = await startedBy('exit 0', { environment: { NO_COLOR: '' } });
    expect(without.stdout).toBe(`sudo <-n> <--> </${commandFile}> <status> <--watch>\n`);
  });

  it('prints a JSON error with --json if sudo needs a password', async () => {
    const { stdout, stderr, status } = await startedBy('exit 1', { args: ['plan', '--json'] });
    expect({ status, stderr }).toEqual({ status: 11, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'NOT_ROOT', problems: [] } });
  });

  it('prints without arguments which lines need sudo, in the language of the user', async () => {
    const line = 'shown to root only: sudo landfall\n';
    const english = await startedBy('exit 1', { args: [] });
    expect(english.status).toBe(0);
    expect(english.stdout).toContain(`stack, backup, alerts, warnings: ${line}`);
    const chinese = await startedBy('exit 1', { args: [], environment: { LANG: 'zh_CN.UTF-8' } });
    expect(chinese.stdout).toContain('只有 root 可见：sudo landfall\n');
  });

  it('prints the command to run if sudo needs a password', async () => {
    const { stderr, status } = await startedBy('exit 1');
    expect(status).toBe(11);
    expect(stderr).toBe(
      'error NOT_ROOT: landfall must be run as root\nhint: Run: sudo landfall status --watch\n',
    );
  });

  /** Runs the script with an `id` that prints 1000 and a fake `sudo`. */
  async function startedBy(
    sudoEnding: string,
    {
      environment = {},
      args = ['status', '--watch'],
    }: { environment?: Record<string, string>; args?: readonly string[] } = {},
  ) {
    const host = TemporaryHost.with({});
    await installCommand(host, files);
    const tools = host.path('tools');
    mkdirSync(tools);
    writeFileSync(`${tools}/id`, '#!/bin/sh\necho 1000\n');
    writeFileSync(
      `${tools}/sudo`,
      `#!/bin/sh\nif [ "$*" = '-n true' ]; then ${sudoEnding}; fi\necho sudo"$(printf ' <%s>' "$@")"\n`,
    );
    for (const tool of ['id', 'sudo']) chmodSync(`${tools}/${tool}`, 0o755);
    return spawnSync('sh', [host.path(commandFile), ...args], {
      env: { PATH: `${tools}:/usr/bin:/bin`, ...environment },
      encoding: 'utf8',
    });
  }
});
