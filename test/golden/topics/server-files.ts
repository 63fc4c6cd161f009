import { composePlugin } from '#contract/bundle/bundle-paths.ts';
import { accessFolder } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import type { Member } from '../../../appliance/nodes/swarm/members.ts';
import { firstInterface, nodeInterface } from '../../../appliance/nodes/swarm/wireguard.ts';
import { closedPorts, startDriver } from '../../../appliance/operations/transactions/units.ts';
import { prepareTunnel } from '../../../appliance/server/access/tunnel.ts';
import { installCommand } from '../../../appliance/server/host/install-command.ts';
import { install, type Service } from '../../../appliance/server/host/service.ts';
import { armUndo } from '../../../appliance/server/host/undo/undo.ts';
import { writeMotd } from '../../../appliance/server/progress/motd.ts';
import { backupTimers } from '../../../appliance/server/timers/backups.ts';
import { unattendedTimer, updateTimer } from '../../../appliance/server/timers/updates.ts';
import { banStage } from '../../../appliance/stages/ban/stage.ts';
import { firewallStage } from '../../../appliance/stages/firewall/stage.ts';
import { kernelStage } from '../../../appliance/stages/kernel/stage.ts';
import { applyClient } from '../../../appliance/stages/route/client/client.ts';
import {
  redirectMeasure,
  storeRedirectedUsers,
} from '../../../appliance/stages/route/redirect/redirect.ts';
import { addProxychains } from '../../../appliance/stages/route/route-settings.ts';
import { routeStage } from '../../../appliance/stages/route/stage.ts';
import { dockerRepository } from '../../../appliance/stages/runtime/install-docker.ts';
import { runtimeStage } from '../../../appliance/stages/runtime/stage.ts';
import { knownAlgorithms } from '../../../appliance/stages/ssh/algorithms.ts';
import {
  renderSettings,
  settingsFor,
  withInclude,
} from '../../../appliance/stages/ssh/apply-settings.ts';
import { certificateTimer } from '../../../appliance/stages/tls/timer.ts';
import { loginKeys } from '../../../appliance/stages/users/login-keys.ts';
import { sudoRights } from '../../../appliance/stages/users/sudo-rights.ts';
import { sshAnswers, undoAnswers } from '../../appliance/answers.ts';
import { contextFor } from '../../appliance/context.ts';
import { statusOf } from '../../appliance/server/progress/status-of.ts';
import { capturing } from '../../appliance/stages/route/capture/rig.ts';
import type { Answers, TemporaryHost } from '../../appliance/temporary-host.ts';
import { filesBySite, type Section, sections, type Topic } from '../golden.ts';
import { anyServer, filesOf, written } from '../server-folder.ts';
import { fieldsOf, release, type SiteName, siteOf } from '../sites.ts';

/** Every package that a stage asks for is installed. */
const packages: Answers = {
  'dpkg-query': (line) =>
    line
      .split(' ')
      .map((name) => `${name} installed\n`)
      .join(''),
};
const account = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const accounts: Answers = {
  'getent group sudo': `sudo:x:${account.gid}:ops,admin\n`,
  'getent passwd': 2,
  'getent passwd ops': `ops:x:${account.uid}:${account.gid}::/home/ops:/bin/bash\n`,
  'getent passwd alice': 'alice:x:1000:1000::/home/alice:/bin/bash\n',
  'getent passwd redsocks': 'redsocks:x:110:110::/run/redsocks:/usr/sbin/nologin\n',
};
const algorithms = [
  'mlkem768x25519-sha256',
  'sntrup761x25519-sha512',
  'curve25519-sha256',
  'diffie-hellman-group16-sha512',
  'chacha20-poly1305@openssh.com',
  'aes256-gcm@openssh.com',
  'hmac-sha2-512-etm@openssh.com',
  'ssh-ed25519',
  'rsa-sha2-512',
].join('\n');

const contextOf = (host: TemporaryHost, name: SiteName) =>
  contextFor(host, { site: fieldsOf(name), release });

/** The files that each stage writes outside of the stack, on servers of several sites. */
export const stageFiles: Topic = async () =>
  new Map([
    ...(await of('route', routeFiles, [
      ...(['smallest', 'everything', 'chinese', 'client'] as const),
    ])),
    ...(await of('users', usersFiles, ['smallest'])),
    ...(await of('ssh', sshFiles, ['smallest'])),
    ...(await of('firewall', firewallFiles, [
      ...(['smallest', 'everything', 'swarm', 'node', 'access'] as const),
    ])),
    ...(await of('ban', banFiles, ['smallest', 'everything'])),
    ...(await of('kernel', kernelFiles, ['smallest', 'everything'])),
    ...(await of('runtime', runtimeFiles, ['smallest', 'everything', 'swarm'])),
    ...(await of('tls', tlsFiles, ['smallest'])),
    ...(await of('report', reportFiles, ['everything', 'chinese', 'client'])),
  ]);

/** The files of commands and of updates, and those of every server. */
export const otherFiles: Topic = async () =>
  new Map([
    ['command.txt', sections(await written(commandFiles))],
    [
      'login-message.txt',
      sections(await written((host) => writeMotd(host, statusOf('images'), 'en'))),
    ],
    ['undo.txt', sections(await written(undoFiles, { answers: undoAnswers }))],
    ['update.txt', sections(await updateFiles())],
    [
      'redirect.txt',
      sections(await written(redirectFiles, { answers: { ...packages, ...accounts } })),
    ],
    ['capture.txt', sections(await captureFiles())],
    ['swarm.txt', sections(await swarmFiles())],
    ['access.txt', sections(await accessFiles())],
  ]);

/** Returns the files of one stage for some sites. */
async function of(
  stage: string,
  files: (name: SiteName) => Promise<Section[]>,
  names: readonly SiteName[],
): Promise<[string, string][]> {
  const found: [SiteName, Section[]][] = [];
  for (const name of names) found.push([name, await files(name)]);
  return [...filesBySite(found)].map(([path, text]) => [`${stage}/${path}`, text]);
}

const archives = {
  'etc/apt/sources.list': 'deb http://deb.debian.org/debian trixie main\n',
  'etc/apt/sources.list.d/debian.sources':
    'Types: deb\nURIs: http://security.debian.org/debian-security\nSuites: trixie-security\nComponents: main\n',
  'etc/resolv.conf': 'nameserver 127.0.0.53\n',
  'etc/zsh/zprofile': '# of the package\n',
  'etc/fish/conf.d/other.fish': '',
  'usr/sbin/update-ca-certificates': '',
  'etc/landfall/secrets/SOCKS_PASSWORD': 'password-of-socks\n',
};

async function routeFiles(name: SiteName): Promise<Section[]> {
  if (name === 'client') return await clientFiles();
  const answers = { ...packages, ...accounts, 'apt-get update --print-uris': '' };
  return await written(
    async (host) => {
      const context = contextOf(host, name);
      await routeStage.apply(context);
      await addProxychains(context);
    },
    { files: archives, answers },
  );
}

/** The route through the proxy client, before a capture. */
async function clientFiles(): Promise<Section[]> {
  const { host, context } = capturing();
  return await added(host, () => applyClient(context, async () => undefined));
}

async function captureFiles(): Promise<Section[]> {
  const { host, on } = capturing();
  return await added(host, on);
}

/** Returns the files that a server has only after a change. */
async function added(host: TemporaryHost, change: () => Promise<unknown>): Promise<Section[]> {
  const before = new Set(filesOf(host).map(([path]) => path));
  await change();
  return filesOf(host).filter(([path]) => !before.has(path));
}

async function usersFiles(name: SiteName): Promise<Section[]> {
  const files = { 'home/ops/.profile': '' };
  return await written(
    async (host) => {
      const context = contextOf(host, name);
      await sudoRights.apply(context);
      await loginKeys.apply(context);
    },
    { files, answers: { ...packages, ...accounts } },
  );
}

async function sshFiles(): Promise<Section[]> {
  const host = anyServer({ answers: { 'ssh -Q': algorithms } });
  const known = await knownAlgorithms(host);
  const recent = new Map([
    ['requiredrsasize', ['1024']],
    ['persourcepenaltyexemptlist', ['none']],
  ]);
  const settings = (now: Map<string, string[]>, weakRsaKey: boolean) =>
    renderSettings(settingsFor({ algorithms: known, now, weakRsaKey }));
  return [
    ['/etc/ssh/sshd_config.d/00-landfall.conf', settings(recent, false)],
    ['/etc/ssh/sshd_config.d/00-landfall.conf, old sshd', settings(new Map(), true)],
    ['/etc/ssh/sshd_config', withInclude('Port 22\n')],
  ];
}

async function firewallFiles(name: SiteName): Promise<Section[]> {
  const answers = {
    ...packages,
    ...sshAnswers,
    ...undoAnswers,
    '/usr/sbin/sshd -T': 'listenaddress 0.0.0.0:22\nlistenaddress [::]:22\n',
    'ufw status': 'Status: inactive\n',
  };
  return await written((host) => firewallStage.apply(contextOf(host, name)), { answers });
}

async function banFiles(name: SiteName): Promise<Section[]> {
  const answers = {
    ...packages,
    ...sshAnswers,
    'loginctl list-sessions': '3 x\n',
    'loginctl show-session': 'RemoteHost=198.51.100.7\n',
  };
  return await written((host) => banStage.apply(contextOf(host, name)), { answers });
}

async function kernelFiles(name: SiteName): Promise<Section[]> {
  const files = {
    'proc/swaps': 'Filename\n',
    'proc/sys/kernel/kptr_restrict': '0\n',
    'usr/share/zoneinfo/Europe/Berlin': '',
    'etc/timezone': 'Etc/UTC\n',
  };
  const answers = {
    ...packages,
    findmnt: 'ext4',
    'systemctl is-enabled --quiet apport.service': 1,
  };
  return await written((host) => kernelStage.apply(contextOf(host, name)), { files, answers });
}

const plugin = 'a program';

async function runtimeFiles(name: SiteName): Promise<Section[]> {
  const file = { path: composePlugin, size: plugin.length, sha256: sha256Hex(plugin) };
  const files = { [`release/${composePlugin}`]: plugin };
  const answers = {
    ...packages,
    ...accounts,
    'dockerd --version': 'Docker version 26.1.5',
    'ip -json': '[{"dst": "10.0.0.0/8"}]',
  };
  const site = { ...fieldsOf(name), docker: { source: 'distribution' } };
  const placed = await written(
    async (host) => {
      const entry = { ...file, offset: 0, executable: true };
      const context = contextFor(host, { site, release: { ...release, files: [entry] } });
      await runtimeStage.apply({ ...context, releaseFolder: host.path('release') });
    },
    { files, answers },
  );
  const server = { ...contextFor(anyServer()).server };
  const repository = dockerRepository({ server, site: siteOf(name) });
  return [...placed, ...(await serviceFiles(repository))];
}

async function tlsFiles(): Promise<Section[]> {
  const rhythms = ['waiting', 'renewing'] as const;
  const found: Section[] = [];
  for (const rhythm of rhythms) {
    const files = await serviceFiles(certificateTimer(rhythm));
    found.push(...files.map(([path, text]): Section => [`${path}, ${rhythm}`, text]));
  }
  return found;
}

async function reportFiles(name: SiteName): Promise<Section[]> {
  const site = siteOf(name);
  const services = [updateTimer(site), unattendedTimer(site), backupTimers(site)];
  return (await Promise.all(services.map(serviceFiles))).flat();
}

async function commandFiles(host: TemporaryHost): Promise<void> {
  await installCommand(host, { completion: '(completion)\n', manual: '(manual)\n' });
}

async function undoFiles(host: TemporaryHost): Promise<void> {
  const subject = { en: 'the change of the firewall', zh: '防火墙的更改' };
  await armUndo(host, { name: 'firewall', script: 'ufw reload', seconds: 600, subject });
}

async function updateFiles(): Promise<Section[]> {
  const lock = { release: async () => {} };
  const folder = '/opt/landfall/releases/1.2.0-amd64';
  const driver = await written((host) => startDriver(host, folder, lock));
  const closed = (site: Pick<Site, 'ports' | 'role'>) => serviceFiles(closedPorts(site));
  const node = await closed(siteOf('node'));
  return [
    // Its events are in the topic of state files.
    ...driver.filter(([path]) => !path.startsWith('/run/')),
    ...(await closed(siteOf('smallest'))),
    ...node.map(([path, text]): Section => [`${path}, engine node`, text]),
  ];
}

async function redirectFiles(host: TemporaryHost): Promise<void> {
  const context = contextOf(host, 'everything');
  await storeRedirectedUsers(host, ['alice']);
  await redirectMeasure.apply(context);
}

async function swarmFiles(): Promise<Section[]> {
  const member: Member = {
    ...{ name: 'gpu1', address: '10.87.0.2', publicKey: 'public-key-of-gpu1' },
    expires: '2026-12-01T00:00:00.000Z',
  };
  const first = await serviceFiles(firstInterface('private-key', 51820, [member]));
  const node = await serviceFiles(
    nodeInterface({
      ...{ address: '10.87.0.2', key: 'private-key', peer: 'public-key' },
      ...{ host: '2001:db8::5', port: 51820 },
    }),
  );
  const on = (server: string, files: Section[]) =>
    files.map(([path, text]): Section => [`${path}, ${server}`, text]);
  return [...on('first server', first), ...on('node', node)];
}

async function accessFiles(): Promise<Section[]> {
  const key = `${accessFolder}/key`;
  // A key that no server has.
  const files = { [key]: `${Buffer.alloc(32, 64).toString('base64')}\n` };
  const place = (host: TemporaryHost) => prepareTunnel(host, siteOf('access'));
  return await written(place, { files, answers: packages });
}

/** Returns the files of a service that must exist. */
async function serviceFiles(service: Service): Promise<Section[]> {
  return await written((host) => install(host, service), { answers: packages });
}
