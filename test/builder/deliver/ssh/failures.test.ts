import { describe, expect, it } from 'vitest';
import { sshFailure } from '../../../../builder/deliver/ssh/printed.ts';

/** What OpenSSH 9 and 10 print. */
const printed = {
  SSH_HOST_KEY: [
    '@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nHost key verification failed.\n',
    'No ED25519 host key is known for 203.0.113.7 and you have requested strict checking.\nHost key verification failed.\n',
  ],
  SSH_DENIED: [
    'root@203.0.113.7: Permission denied (publickey,password).\n',
    'Received disconnect from 203.0.113.7 port 22:2: Too many authentication failures\n',
  ],
  SSH_UNREACHABLE: [
    'ssh: Could not resolve hostname nowhere.example: Name or service not known\n',
    'ssh: connect to host 203.0.113.7 port 22: Connection refused\n',
    'ssh: connect to host 203.0.113.7 port 22: Connection timed out\n',
    'kex_exchange_identification: Connection closed by remote host\n',
    '',
  ],
} as const;
const rows = Object.entries(printed).flatMap(([code, texts]) => texts.map((text) => [code, text]));

describe('a failure of ssh', () => {
  it.each(rows)('reports a failure of ssh as %s for %j', (code, text) => {
    expect(sshFailure('root@203.0.113.7', text)).toMatchObject({
      code,
      retriable: code === 'SSH_UNREACHABLE',
      hint: expect.stringMatching(/\.$|<host>$|apt-get/),
    });
  });

  it('quotes the last line without control characters', () => {
    const { message } = sshFailure(
      'vps',
      'banner\n\u001b[31mPermission denied\u001b[0m (publickey).\n\n',
    );
    expect(message).toContain('no SSH connection to vps');
    expect(message).toContain('Permission denied');
    expect(message).not.toMatch(/\p{Cc}/u);
  });
});
