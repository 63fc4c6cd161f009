import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SftpFolder } from '../../../../../../builder/deliver/hosting/upload/sftp/sftp-folder.ts';
import { SftpSession } from '../../../../../../builder/deliver/hosting/upload/sftp/sftp-session.ts';
import { workFolder } from '../../../../../simulator/work-folder.ts';

const sha256 = 'a'.repeat(64);

/** Lists a small file of digests, and sends an endless one, as sftp with a hostile server does. */
const hostile = `#!/bin/sh
input=$(cat)
case $input in
  *ls\\ -l*)
    echo '-rw-r--r-- 1 0 0 1 Nov 23 01:27 a.tar'
    echo '-rw-r--r-- 1 0 0 72 Nov 23 01:27 a.tar.sha256'
    ;;
  *get*)
    exec cat /dev/zero > "$(dirname "$0")/received"
    ;;
esac
`;

it('limits the file of digests that a hostile SFTP server sends', async () => {
  const programs = await workFolder();
  for (const [name, text] of Object.entries({ sftp: hostile, ssh: '#!/bin/sh\nexit 0\n' })) {
    await writeFile(join(programs, name), text);
    await chmod(join(programs, name), 0o755);
  }
  const target = { type: 'sftp', user: 'u', host: 'h', port: undefined, path: 'x' } as const;
  const env = { PATH: `${programs}:${process.env.PATH}` };
  await using folder = new SftpFolder(await SftpSession.open(target, { env }), 'x');
  const file = { name: 'a.tar', path: '/a.tar', size: 1, modified: 0, sha256 };
  await expect(folder.has(file)).rejects.toMatchObject({ code: 'UPLOAD_REFUSED' });
  expect((await stat(join(programs, 'received'))).size).toBeLessThanOrEqual(2 << 20);
});
