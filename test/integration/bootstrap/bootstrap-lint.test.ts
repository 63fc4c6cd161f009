import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { needs } from '../needs.ts';

const bootstrap = fileURLToPath(new URL('../../../appliance/bootstrap/bootstrap', import.meta.url));
const lint = needs('shellcheck', 'dash');

lint.describe('the shell code of the bootstrap', () => {
  it('passes shellcheck for the bootstrap without a finding, style included', async () => {
    const { exitCode, stdout } = await execa(
      lint.shellcheck,
      ['--shell=sh', '--severity=style', '--enable=all', '--exclude=SC2250,SC2292', bootstrap],
      { reject: false },
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  });

  it('uses only syntax in the bootstrap that dash accepts, the minimal shell of servers', async () => {
    const { exitCode, stderr } = await execa(lint.dash, ['-n', bootstrap], { reject: false });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});
