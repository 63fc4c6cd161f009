import { describe, expect, it } from 'vitest';
import { otherLogins } from '../../../appliance/users/other-logins.ts';
import { TemporaryHost } from '../temporary-host.ts';

const own = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOwn me@laptop';
const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOther them@work';
const passwd = 'root:x:0:0::/root:/bin/bash\nubuntu:x:1000:1000::/home/ubuntu:/bin/bash\n';

async function warningsFor(files: Readonly<Record<string, string>>): Promise<string[]> {
  const host = TemporaryHost.with(files, { 'getent passwd': passwd });
  const found = await otherLogins(host, { user: 'ops', ssh_keys: [own] });
  return found.map(({ text }) => text);
}

describe('otherLogins', () => {
  it('warns that other keys of root stop working', async () => {
    expect(await warningsFor({ 'root/.ssh/authorized_keys': `${own}\n${other}\n` })).toEqual([
      expect.stringMatching(/^root has 1 SSH key that stops? working/),
    ]);
  });

  // Regression: the warning named a key that the site has.
  it('does not warn of keys that are in the site, with another comment or options', async () => {
    const sameKey = own.replace('me@laptop', 'cloud');
    expect(
      await warningsFor({
        'root/.ssh/authorized_keys': `no-pty ${sameKey}\n`,
        'home/ubuntu/.ssh/authorized_keys': `${sameKey}\n`,
      }),
    ).toEqual([]);
  });
});
