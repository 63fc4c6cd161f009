import { reportFile } from '#contract/server-paths.ts';
import { inBoth } from '#contract/text/language.ts';
import { firstAnchor } from '#contract/trust/anchor.ts';
import { writeMembers } from '../../../appliance/nodes/swarm/members.ts';
import { addToHistory } from '../../../appliance/operations/transactions/history.ts';
import { addEvent, beginEvents } from '../../../appliance/operations/transactions/units.ts';
import { storedUpdates } from '../../../appliance/operations/update/last-check.ts';
import { announceConditions } from '../../../appliance/server/alerts/announce.ts';
import { queueAlerts } from '../../../appliance/server/alerts/queue.ts';
import { failed as failedThing } from '../../../appliance/server/conditions/condition.ts';
import { writeText } from '../../../appliance/server/host/files.ts';
import { writeTrustAnchor } from '../../../appliance/server/host/trust-anchor.ts';
import { storedStatus } from '../../../appliance/server/progress/status.ts';
import { newTarget, storedBackups } from '../../../appliance/server/records/backups.ts';
import { storedTransaction } from '../../../appliance/server/records/transaction.ts';
import { Journal } from '../../../appliance/server/stage/journal.ts';
import { formatIgnored } from '../../../appliance/stages/ban/ignored.ts';
import { formatSettings } from '../../../appliance/stages/firewall/facts.ts';
import { storedDiskPlan } from '../../../appliance/stages/preflight/public.ts';
import { writeReport } from '../../../appliance/stages/report/stored-report.ts';
import { nextState, storedRoute } from '../../../appliance/stages/route/check/state.ts';
import { enterState } from '../../../appliance/stages/route/client/state.ts';
import { rememberStopped } from '../../../appliance/stages/stack/stopped.ts';
import { contextFor } from '../../appliance/context.ts';
import { failedAlert } from '../../appliance/server/alerts/fixture.ts';
import { statusOf } from '../../appliance/server/progress/status-of.ts';
import { goodReport } from '../../appliance/stages/report/fixture.ts';
import type { TemporaryHost } from '../../appliance/temporary-host.ts';
import { now } from '../conditions.ts';
import { sections, type Topic } from '../golden.ts';
import { anyServer, written } from '../server-folder.ts';
import { keys } from '../sites.ts';
import { found, history, transaction } from './updates.ts';

const at = now.toISOString();
const warning = { kind: 'route', subject: 'x', text: 'x' } as const;

/** What writes each file of state. Other releases read these files, so that their bytes are a contract. */
const writers: Readonly<Record<string, (host: TemporaryHost) => Promise<unknown>>> = {
  alerts: (host) => queueAlerts(host, siteWithAlerts, [failedAlert]),
  troubles: (host) =>
    announceConditions(host, siteWithAlerts, async () => [
      {
        ...{ topic: 'disk', subject: '/', severity: 'attention', command: 'sudo landfall doctor' },
        what: inBoth('low disk space'),
      },
      failedThing(inBoth('gpu1'), inBoth('x'), {
        ...{ topic: 'engine', subject: 'gpu1', severity: 'attention', command: 'y' },
      }),
    ]),
  backups: (host) =>
    storedBackups.write(host, {
      ...{ schema: 1, isConfirmed: true },
      targets: {
        '/mnt/backup': {
          ...newTarget(),
          lastRun: { at, took: 61_000, failure: { code: 'BACKUP_FAILED', message: 'x' } },
          lastGood: { at, snapshot: 'abcdef01', total: 5e9, added: 1e8 },
          lastTest: { at, took: 1, failure: null, snapshot: null },
          ...{ sizes: [{ at, total: 4e9 }], space: { free: 1e9, size: 2e9 } },
        },
      },
      earlier: { tag: 'server-1', hostname: 'box', stopped: null },
    }),
  route: (host) => {
    const failed = {
      subject: 'x',
      failure: 'timed out',
      code: 'NETWORK_TIMEOUT' as const,
      warning,
    };
    return storedRoute.write(host, nextState(undefined, [failed], now).state);
  },
  'proxy client': (host) => enterState(host, 'active', 'a', 'b: timed out', now),
  update: (host) => storedUpdates.write(host, found),
  transaction: (host) =>
    storedTransaction.write(host, transaction({ pass: 'b'.repeat(32), closedAt: at })),
  history: async (host) => {
    for (const [index, entry] of history.entries()) {
      await addToHistory(host, { ...entry, id: `${index}` });
    }
  },
  journal: async (host) => {
    const journal = new Journal(host);
    await journal.add({ release: '1.2.0', stage: 'ssh', event: 'started' });
    await journal.add({ release: '1.2.0', stage: 'ssh', event: 'applied', took: 12, own: 3 });
    await journal.add({
      release: '1.2.0',
      stage: 'stack',
      event: 'failed',
      code: 'X',
      alone: true,
    });
  },
  status: (host) => storedStatus.write(host, statusOf('images')),
  report: (host) => writeReport(host, goodReport),
  events: async (host) => {
    await beginEvents(host);
    await addEvent(host, { state: 'closed' });
    await addEvent(host, { state: 'closed', text: 'a line of a stage' });
  },
  stopped: (host) => rememberStopped(host, 'ui', now),
  members: (host) =>
    writeMembers(host, [
      { name: 'gpu1', address: '198.19.253.2', publicKey: 'a public key', expires: at },
    ]),
  'trust anchor': (host) => writeTrustAnchor(host, firstAnchor(keys)),
  'disk plan': (host) =>
    storedDiskPlan.write(host, {
      release: '1.2.0',
      dropBlobs: true,
      keepPrevious: true,
      swap: 1e9,
    }),
  firewall: (host) =>
    writeText(host, 'etc/landfall/firewall.json', formatSettings({ allow: ['1/tcp'], deny: [] })),
  ban: (host) => writeText(host, 'etc/landfall/ban.json', formatIgnored(['198.51.100.7'])),
};

const { site: siteWithAlerts } = contextFor(anyServer(), { site: { alerts: [{ kind: 'ntfy' }] } });

/** The files of state on a server. */
export const stateFiles: Topic = async () => {
  const files: [string, string][] = [];
  for (const [name, write] of Object.entries(writers)) {
    const found = await written(write, { answers: { hostname: 'box' } });
    // The topic `report` has its text.
    const own = found.filter(([path]) => !path.startsWith(`/${reportFile.text}`));
    files.push([`${name.replaceAll(' ', '-')}.txt`, sections(own)]);
  }
  return new Map(files);
};
