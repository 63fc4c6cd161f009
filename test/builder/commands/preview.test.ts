import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { previewCommand } from '../../../builder/commands/preview.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { runCommand, terminalIn } from './terminal.ts';

const sshKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@laptop';

describe('landfall preview', () => {
  it.each([
    [[], 'no bundle is given'],
    [['--keep-data'], '--keep-data is given without --down'],
    [['--name', 'My Preview'], '--name is not a valid name'],
    [['--port', '0'], '--port 0 is not a whole number from 1 to 65535'],
    [['a.tar'], 'no trusted key is given'],
  ])('rejects %j', async (args, message) => {
    const running = runCommand(previewCommand, terminalIn('/'), ...args);
    await expect(running).rejects.toMatchObject({ code: 'USAGE', message });
  });

  it('rejects the site of an engine node, which has no pages', async () => {
    const folder = await workFolder();
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await writeFile(join(folder, 'release.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    const site = {
      release: ['https://example.org/r/'],
      admin: { ssh_keys: [sshKey] },
      role: 'engine-node',
      engine_node: { client_ca: new CertificateAuthority().cert, clients: ['203.0.113.10'] },
    };
    await writeFile(join(folder, 'site.yaml'), JSON.stringify(site));
    const args = ['a.tar', '--key', 'release.pub', '--site', 'site.yaml'];
    const running = runCommand(previewCommand, terminalIn(folder), ...args);
    await expect(running).rejects.toThrow('the site is that of an engine node');
  });

  it('rejects --down with options of a start', async () => {
    const running = runCommand(previewCommand, terminalIn('/'), '--down', '--port', '1');
    await expect(running).rejects.toThrow('cannot be used with');
  });

  it('needs Docker also for --down, which would otherwise remove the files only', async () => {
    const running = runCommand(previewCommand, terminalIn('/', { PATH: '/nowhere' }), '--down');
    await expect(running).rejects.toMatchObject({ code: 'TOOL_MISSING' });
  });
});
