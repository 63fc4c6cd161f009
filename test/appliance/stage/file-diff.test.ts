import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Host } from '../../../appliance/host/host.ts';
import { runCommand } from '../../../appliance/host/run/command.ts';
import { diffFile } from '../../../appliance/stage/file-diff.ts';
import { TemporaryHost } from '../temporary-host.ts';

/** Returns the diff of a file with this content and mode, made by the program `diff`. */
async function diffOf(before: string, mode: number, wanted: { content: string; mode: number }) {
  const { root } = TemporaryHost.with({ 'etc/x': before });
  const host = new Host(root, runCommand);
  chmodSync(host.path('etc/x'), mode);
  return await diffFile(host, { path: 'etc/x', ...wanted });
}

describe('diffFile', () => {
  it('shows changed lines', async () => {
    expect(await diffOf('a\nb\n', 0o644, { content: 'a\nc\n', mode: 0o644 })).toEqual([
      '--- /etc/x',
      '+++ /etc/x (new)',
      '@@ -1,2 +1,2 @@',
      ' a',
      '-b',
      '+c',
    ]);
  });

  it.each([
    [0o600, 0o600],
    [0o644, 0o600],
    [0o600, 0o644],
  ])('does not show the content of a file that is private, mode %o to %o', async (from, to) => {
    const lines = await diffOf('KEY=old-secret\n', from, { content: 'KEY=secret\n', mode: to });
    expect(lines).toContain('/etc/x: the content differs and is private');
    expect(lines.join()).not.toContain('secret\n');
    expect(lines.join()).not.toContain('KEY');
  });

  it('shows changed permissions', async () => {
    expect(await diffOf('a\n', 0o664, { content: 'a\n', mode: 0o644 })).toEqual([
      '/etc/x: mode 664 would become 644',
    ]);
  });

  it('shows nothing for a new file', async () => {
    const host = TemporaryHost.with({});
    expect(await diffFile(host, { path: 'etc/x', content: 'a\n', mode: 0o644 })).toEqual([]);
  });
});
