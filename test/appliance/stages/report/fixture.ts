import type { Report } from '../../../../appliance/stages/report/report.ts';
import { sshAnswers } from '../../answers.ts';
import { warningOf } from '../../server/stage/warning-of.ts';
import type { Answers } from '../../temporary-host.ts';

/** Command results of a server with one public address. */
export const answers: Answers = {
  ...sshAnswers,
  'ip -json address': JSON.stringify([
    {
      ifname: 'eth0',
      addr_info: [
        { family: 'inet', local: '203.0.113.5' },
        { family: 'inet6', local: '2001:db8::5' },
      ],
    },
    { ifname: 'docker0', addr_info: [{ family: 'inet', local: '172.17.0.1' }] },
  ]),
  '/usr/sbin/sshd -T': [
    'port 22',
    'hostkey /etc/ssh/ssh_host_ed25519_key',
    'hostkey /etc/ssh/ssh_host_rsa_key',
    'listenaddress 0.0.0.0:22',
    'listenaddress [::]:22',
  ].join('\n'),
  'ssh-keygen -l -f /etc/ssh/ssh_host_ed25519_key.pub': '256 SHA256:abc root@host (ED25519)\n',
  'ssh-keygen -l -f /etc/ssh/ssh_host_rsa_key.pub': { code: 255, stdout: '' },
  'ufw status verbose': 'Status: active\nDefault: deny (incoming)\n',
};

/** The report of a healthy server. */
export const goodReport: Report = {
  schema: 1,
  product: 'landfall',
  release: '1.2.0',
  arch: 'amd64',
  language: 'en',
  at: '2026-11-21T07:10:00.000Z',
  addresses: { v4: ['203.0.113.5'], v6: ['2001:db8::5'], public: '203.0.113.5' },
  urls: [{ part: 'chat UI', url: 'https://chat.example.com/' }],
  ssh: { command: 'ssh ops@203.0.113.5', fingerprints: ['ED25519 SHA256:abc'] },
  chatSignIn: 'me@example.com',
  certificate: {
    names: 'chat.example.com',
    issuer: 'CN=landfall self-signed',
    until: '2027-02-19T00:00:00.000Z',
    sha256: '38:A0:B4',
    own: true,
    acme: false,
    trusted: false,
  },
  tunnels: [
    {
      part: 'HTTP proxy',
      command: 'ssh -N -L 127.0.0.1:8888:127.0.0.1:8888 ops@203.0.113.5',
      url: 'http://127.0.0.1:8888/',
    },
  ],
  records: [{ name: 'chat.example.com', type: 'A', value: '203.0.113.5' }],
  engines: [],
  models: [
    { name: 'qwen3:8b', size: 5_200_000_000, present: true },
    { name: 'mine:1b', size: null, present: true },
  ],
  missingKeys: [],
  addNode: null,
  needsNode: false,
  needsBackup: false,
  lacksModel: false,
  hostedOnly: null,
  context: 8192,
  stages: [
    { name: 'preflight', title: 'preflight', outcome: 'kept', took: 400, own: 90 },
    { name: 'runtime', title: 'runtime', outcome: 'applied', took: 51_000, own: 300 },
  ],
  took: 51_400,
  own: 390,
  cpu: 2100,
  peakMemory: 91e6,
  warnings: [warningOf('no swap could be made')],
  firewall: ['Status: active', '', 'To    Action'],
};

/** Returns the certificate of a report that must have one. */
export function certificateOf({ certificate }: Report): NonNullable<Report['certificate']> {
  if (!certificate) throw new Error('this report has no certificate');
  return certificate;
}
