import { existsSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../../appliance/server/host/run/command.ts';
import { unconfirmed, undoUnconfirmed } from '../../../../appliance/server/host/undo/undo.ts';
import {
  applySettings,
  areInPlace,
  withInclude,
} from '../../../../appliance/stages/ssh/apply-settings.ts';
import { undoAnswers } from '../../answers.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const settingsFile = 'etc/ssh/sshd_config.d/00-landfall.conf';
const mainFile = 'etc/ssh/sshd_config';
const include = 'Include /etc/ssh/sshd_config.d/*.conf\n';
const settings = new Map([['PermitRootLogin', 'no']]);

/** Returns a server without systemd on which undo scripts really run. */
function server(files: Record<string, string>, answers: Answers = {}) {
  const host = TemporaryHost.with(files, {
    ...undoAnswers,
    '/bin/sh': '',
    'systemctl is-active --quiet ssh.socket': 3,
    'systemctl reset-failed ssh.service': '',
    'systemctl try-restart ssh.service': '',
    '/usr/sbin/sshd -t': '',
    'systemctl try-reload-or-restart ssh.service': '',
    '/usr/sbin/sshd -T': 'permitrootlogin no\n',
    ...answers,
  });
  const recorded = host.run.bind(host);
  host.run = async (file, args, options) => {
    const result = await recorded(file, args, options);
    return file === '/bin/sh' ? await runCommand(file, args, options) : result;
  };
  const text = (path: string) => readFile(host.path(path), 'utf8');
  return { host, text };
}

describe('the restriction of SSH', () => {
  it('verifies the restriction of SSH before confirming it', async () => {
    const { host, text } = server({ [mainFile]: include });
    let waiting: string[] = [];
    await applySettings(host, settings, ['ops'], async () => {
      waiting = await unconfirmed(host);
      expect(host.ran.at(-1)).toBe('systemctl try-reload-or-restart ssh.service');
    });
    expect(waiting).toEqual(['ssh']);
    expect(await unconfirmed(host)).toEqual([]);
    expect(await text(settingsFile)).toContain('PermitRootLogin no\n');
    expect(await areInPlace(host, settings)).toBe(true);
  });

  it('adds the Include line if it is missing', async () => {
    const { host, text } = server({ [mainFile]: 'PasswordAuthentication yes\n' });
    await applySettings(host, settings, ['ops'], async () => {});
    expect((await text(mainFile)).indexOf(include)).toBeLessThan(
      (await text(mainFile)).indexOf('PasswordAuthentication'),
    );
  });

  it('keeps the permissions of sshd_config', async () => {
    const { host } = server({ [mainFile]: 'UsePAM yes\n' });
    await chmod(host.path(mainFile), 0o600);
    await applySettings(host, settings, ['ops'], async () => {});
    expect((await stat(host.path(mainFile))).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['the test login fails', 'no way in', {}, () => Promise.reject(new Error('no way in'))],
    [
      'sshd rejects the settings',
      '/usr/sbin/sshd -t exited with code 255',
      { '/usr/sbin/sshd -t': 255 },
      async () => {},
    ],
    [
      'other settings override them',
      'other settings in /etc/ssh override',
      { '/usr/sbin/sshd -T': 'permitrootlogin yes\n' },
      async () => {},
    ],
  ])(
    'reverts the restriction of SSH immediately when %s',
    async (_what, message, answers, prove) => {
      const { host, text } = server({ [mainFile]: 'UsePAM yes\n' }, answers);
      await expect(applySettings(host, settings, ['ops'], prove)).rejects.toThrow(message);
      expect(existsSync(host.path(settingsFile))).toBe(false);
      expect(await text(mainFile)).toBe('UsePAM yes\n');
      expect(await unconfirmed(host)).toEqual([]);
    },
  );

  it('reports which settings override ours, and for which users', async () => {
    const { host } = server(
      { [mainFile]: include },
      { '/usr/sbin/sshd -T': 'permitrootlogin yes\n' },
    );
    await expect(
      applySettings(host, settings, ['root', 'ops'], async () => {}),
    ).rejects.toMatchObject({
      code: 'SSH_UNPROVEN',
      problems: [
        { message: 'PermitRootLogin is yes for root, not no' },
        { message: 'PermitRootLogin is yes for ops, not no' },
      ],
    });
  });

  it('restores the settings of an earlier release', async () => {
    const { host, text } = server({ [mainFile]: include, [settingsFile]: '# earlier\n' });
    await expect(
      applySettings(host, settings, ['ops'], () => Promise.reject(new Error('no'))),
    ).rejects.toThrow('no');
    expect(await text(settingsFile)).toBe('# earlier\n');
  });

  it('reports the restriction of SSH as incomplete after a kill before the verification', async () => {
    const { host, text } = server({ [mainFile]: include });
    await applySettings(host, settings, ['ops'], async () => {
      // The state after a kill.
      expect(await text(settingsFile)).toContain('PermitRootLogin');
      expect(await areInPlace(host, settings)).toBe(false);
      expect(await undoUnconfirmed(host)).toEqual(['ssh']);
      expect(existsSync(host.path(settingsFile))).toBe(false);
      await writeFile(host.path('var/lib/landfall/undo/ssh.sh'), '');
    });
  });

  it('restarts an sshd with a systemd socket, because a reload would end it', async () => {
    const held = { 'systemctl is-active --quiet ssh.socket': 0 };
    const { host, text } = server({ [mainFile]: include }, held);
    await applySettings(host, settings, ['ops'], async () => {
      expect(host.ran.slice(-2)).toEqual([
        'systemctl reset-failed ssh.service',
        'systemctl try-restart ssh.service',
      ]);
      const undo = await text('var/lib/landfall/undo/ssh.sh');
      expect(undo).toContain(
        'systemctl --no-block reset-failed ssh.service\nsystemctl --no-block try-restart ssh.service\n',
      );
    });
    expect(host.ran.join('\n')).not.toContain('reload-or-restart');
  });

  it('does not wait for services when it is reverted early during boot', async () => {
    const { host, text } = server({ [mainFile]: include });
    await applySettings(host, settings, ['ops'], async () => {
      expect(await text('var/lib/landfall/undo/ssh.sh')).toContain(
        'systemctl --no-block try-reload-or-restart ssh.service',
      );
    });
  });
});

const line = 'Include /etc/ssh/sshd_config.d/*.conf';

describe('the Include line of sshd_config', () => {
  it.each([
    ['in the form of Debian', `# a comment\n\n${line}\n\nUsePAM yes\n`],
    ['with spaces around it', `  ${line}  \nUsePAM yes\n`],
    ['relative to /etc/ssh', 'Include sshd_config.d/*.conf\n'],
    ['in lower case and in quotes', 'include "/etc/ssh/sshd_config.d/*.conf"\n'],
  ])('leaves the Include line unchanged: %s', (_what, text) => {
    expect(withInclude(text)).toBe(text);
  });

  it.each([
    ['it is missing', 'UsePAM yes\n'],
    ['the file is empty', ''],
    ['it is a comment', `#${line}\n`],
    ['a setting before it would override the folder', `PasswordAuthentication yes\n${line}\n`],
    ['it is in a Match block, which applies to some users only', `Match User a\n${line}\n`],
    ['it includes other files', 'Include /etc/ssh/sshd_config.d/50-*.conf\n'],
    ['it includes several folders', `${line} /etc/ssh/more/*.conf\n`],
  ])('adds the Include line at the beginning if %s', (_what, text) => {
    const result = withInclude(text);
    expect(result.split('\n').find((each) => !each.startsWith('#'))).toBe(line);
    expect(result.endsWith(text)).toBe(true);
  });

  it('adds the Include line once', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(withInclude(withInclude(text))).toBe(withInclude(text));
      }),
    );
  });
});
