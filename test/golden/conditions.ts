import { utimesSync } from 'node:fs';
import {
  alertsFile,
  backupStateFile,
  installedMark,
  reportFile,
  routeStateFile,
  siteFile,
  stoppedFile,
  transactionFile,
  troublesFile,
  updateHistoryFile,
  updateStateFile,
} from '#contract/server-paths.ts';
import { targetText } from '#contract/site/backup/targets.ts';
import { undoneFolder, waitingFolder } from '../../appliance/server/host/undo/notice.ts';
import { withoutSpace, withSpace } from '../appliance/disk-settings.ts';
import { warningOf } from '../appliance/server/stage/warning-of.ts';
import { goodReport } from '../appliance/stages/report/fixture.ts';
import type { Answers, TemporaryHost } from '../appliance/temporary-host.ts';
import { anyServer } from './server-folder.ts';
import { fieldsOf } from './sites.ts';
import { found, history, transaction } from './topics/updates.ts';

/** The time of every golden file. */
export const now = new Date('2026-11-29T12:00:00.000Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();

/** Something that an administrator must know, as files and programs of a server. */
export interface Condition {
  readonly files?: Readonly<Record<string, string>>;
  readonly answers?: Answers;
  readonly site?: Readonly<Record<string, unknown>>;
}

const healthy = ['engine', 'ui', 'tinyproxy', 'gateway'].map(
  (name) => `${name}\trunning\tFalse\tUp 5 minutes (healthy)`,
);
const containers = (change: (row: string) => string) => ({
  'docker ps': healthy.map(change).join('\n'),
});

const backup = { to: [{ kind: 'folder', path: '/mnt/backup' }] };
const target = {
  created: hoursAgo(24 * 90),
  lastGood: { at: hoursAgo(5), snapshot: 'abcdef01', total: 5e9, added: 1e8 },
  lastRun: { at: hoursAgo(5), took: 61_000, failure: null },
  lastTest: { at: hoursAgo(100), took: 61_000, failure: null, snapshot: 'abcdef01' },
};
const failure = { code: 'BACKUP_FAILED', message: '/mnt/backup: permission denied' };
const backups = (change: object = {}, isConfirmed = true): Condition => ({
  site: { backup },
  files: {
    [backupStateFile]: JSON.stringify({
      ...{ schema: 1, isConfirmed },
      targets: { [targetText({ kind: 'folder', path: '/mnt/backup' })]: { ...target, ...change } },
    }),
  },
});
const updating = (change: Parameters<typeof transaction>[0]): Condition => ({
  files: { [transactionFile]: JSON.stringify(transaction(change)) },
});
const route = (failures: number): Condition => ({
  files: {
    [routeStateFile]: JSON.stringify({
      ...{ schema: 1, at: hoursAgo(1) },
      subjects: {
        'images of docker.io': {
          ...{ state: failures < 3 ? 'working' : 'failed', failures, since: hoursAgo(2) },
          ...(failures > 0 ? { cause: 'timed out', code: 'NETWORK_TIMEOUT' } : {}),
          title: { en: 'images of docker.io', zh: 'docker.io 的镜像' },
        },
      },
    }),
  },
});
const update = (change: object = {}): Condition => ({
  files: { [updateStateFile]: JSON.stringify({ ...found, ...change }) },
});
const reported = (change: object): Condition => ({
  files: { [reportFile.json]: JSON.stringify({ ...goodReport, warnings: [], ...change }) },
});
const haproxy = [
  '# pxname,svname,status,sid,check_desc,',
  'generate-1,local,UP,1,,',
  'generate-1,gpu1,DOWN,2,Layer4 timeout,',
  'generate-1,gpu2,DRAIN,3,,',
];

/** What a server reports to its administrator, one condition each. */
export const conditions: Readonly<Record<string, Condition>> = {
  healthy: {},
  'disk low': { files: withoutSpace },
  'backup: good': backups(),
  'backup: not set up': { site: { backup } },
  'backup: password not confirmed': backups({}, false),
  'backup: late': backups({ lastGood: { ...target.lastGood, at: hoursAgo(30) } }),
  'backup: failed': backups({ lastRun: { ...target.lastRun, failure } }),
  'backup: check failed': backups({ lastCheck: { ...target.lastRun, failure } }),
  'backup: restore test failed': backups({ lastTest: { ...target.lastTest, failure } }),
  'backup: grew': backups({ sizes: [{ at: hoursAgo(100), total: 1e9 }] }),
  'backup: target nearly full': backups({ space: { free: 1e9, size: 100e9 } }),
  'update: available': update(),
  'update: up to date': update({ offer: { kind: 'up-to-date' } }),
  'update: withdrawn': update({ offer: { kind: 'up-to-date' }, withdrawn: 'it loses chats' }),
  'update: no channel': update({ channel: null, offer: null }),
  'update: keys refused': update({
    offer: { kind: 'up-to-date' },
    failures: [{ mirror: 'https://a.example/', code: 'TRUST_REFUSED', message: 'other keys' }],
  }),
  'update: rolled back': {
    files: {
      ...update().files,
      [updateHistoryFile]: history.map((each) => `${JSON.stringify(each)}\n`).join(''),
    },
  },
  'update: in progress': updating({}),
  'update: stuck': updating({ state: 'stuck' }),
  'restore: in progress': updating({ kind: 'restore', state: 'closed' }),
  'site: being applied': updating({ kind: 'site' }),
  'site: to confirm': updating({ kind: 'site', state: 'confirming' }),
  'a change waits': {
    files: {
      [`${waitingFolder}/firewall`]:
        'A change waits for you: `sudo landfall confirm`, until 2026-11-29 12:10 UTC\n',
    },
  },
  'a change was undone': {
    files: { [`${undoneFolder}/firewall`]: 'the change of the firewall was not confirmed\n' },
  },
  'component: down': {
    answers: containers((row) => row.replace(/^ui\t.*/, 'ui\texited\tFalse\tExited (1)')),
  },
  'component: unhealthy': { answers: containers((row) => row.replace('(healthy)', '(unhealthy)')) },
  'component: starting': {
    answers: containers((row) => row.replace('(healthy)', '(health: starting)')),
  },
  'component: stopped': {
    answers: containers((row) => row.replace(/^ui\t.*/, 'ui\texited\tFalse\tExited (0)')),
    files: { [stoppedFile]: JSON.stringify({ schema: 1, stopped: { ui: hoursAgo(3) } }) },
  },
  'component: none': { answers: { 'docker ps': '' } },
  'docker: down': { answers: { 'docker ps': 1 } },
  'route: working': route(0),
  'route: failing': route(2),
  'route: failed': route(3),
  'access: WireGuard is down': {
    site: { ...fieldsOf('access') },
    answers: { 'systemctl is-active --quiet wg-quick@wg-access.service': 3 },
  },
  'access: no device': { site: { access: { mode: 'wireguard' } } },
  'access: one device': { site: { ...fieldsOf('access') } },
  'engine: down': {
    site: { ...fieldsOf('engines') },
    answers: { 'docker exec --interactive landfall-balancer': `${haproxy.join('\n')}\n` },
  },
  'alert target: no secret': { site: { alerts: [{ kind: 'ntfy' }] } },
  'alert target: failed': {
    site: { alerts: [{ kind: 'ntfy' }] },
    files: {
      'etc/landfall/secrets/alert-ntfy-url': 'https://ntfy.example.com/topic\n',
      [alertsFile]: JSON.stringify({
        ntfy: {
          unsent: [],
          failure: { at: hoursAgo(1), code: 'ALERT_FAILED', message: 'status 403' },
        },
      }),
    },
  },
  'trouble: open': {
    files: {
      [troublesFile]: JSON.stringify({
        schema: 1,
        troubles: {
          'disk /': {
            ...{ state: 'notice', subject: 'low disk space', command: 'sudo landfall doctor' },
            since: hoursAgo(1),
          },
        },
      }),
    },
  },
  'report: warnings': reported({ warnings: [warningOf('no swap'), warningOf('a slow model')] }),
  'report: no model': reported({ lacksModel: true }),
  'report: missing key': reported({ missingKeys: ['OPENAI_API_KEY'] }),
  'engine node': { site: { ...fieldsOf('node') } },
};

/** Returns a server with a condition. */
export function serverWith({ files = {}, answers = {}, site = {} }: Condition): TemporaryHost {
  const host = anyServer({
    files: {
      ...withSpace,
      [installedMark]: '1.2.0\n',
      [siteFile]: JSON.stringify({ ...fieldsOf('smallest'), ...site }),
      // A user who can read and write it can ask Docker.
      'run/docker.sock': '',
      ...files,
    },
    answers: {
      'docker ps': healthy.join('\n'),
      hostname: 'box',
      'docker volume inspect': 1,
      ...answers,
    },
  });
  for (const path of Object.keys(files).filter((each) => each.startsWith(undoneFolder))) {
    utimesSync(host.path(path), now, now);
  }
  return host;
}

/** Returns a text without the free space of the machine of the tests. */
export function steady(text: string): string {
  return text
    .replaceAll(/[\d.]+ [kMGT]?B of [\d.]+ [kMGT]?B free/g, 'FREE of SIZE free')
    .replaceAll(/剩余 [\d.]+ [kMGT]?B（共 [\d.]+ [kMGT]?B）/g, '剩余 FREE（共 SIZE）')
    .replaceAll(/"(free|size)": \d{9,}/g, '"$1": 0');
}
