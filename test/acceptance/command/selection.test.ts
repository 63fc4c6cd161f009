import { describe, expect, it } from 'vitest';
import { readAcceptance } from './selection.ts';

describe('the arguments of npm run acceptance', () => {
  it('select a release, an image and an architecture', () => {
    const args = ['--release', 'dist', '--image', 'ubuntu-24.04', '--arch', 'arm64'];
    expect(readAcceptance(args)).toEqual({ release: 'dist', image: 'ubuntu-24.04', arch: 'arm64' });
  });

  it('select the server of this machine by default', () => {
    expect(readAcceptance(['--release', 'dist', '--arch', 'amd64'])?.image).toBe('local');
  });

  it.each([
    [[]],
    [['--release', 'dist', '--image', 'ubuntu-20.04']],
    [['--release', 'dist', '--arch', 'riscv64']],
    [['--release', 'dist', '--image', 'local', '--arch', 'arm64']],
    [['--release', 'dist', 'more']],
  ])('rejects the arguments of npm run acceptance: %j', (args) => {
    expect(readAcceptance(args)).toBeUndefined();
  });
});
