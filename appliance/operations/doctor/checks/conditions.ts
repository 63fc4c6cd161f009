import { usageConditions } from '../../../relay/report/usage-conditions.ts';
import { accessConditions } from '../../../server/access/conditions.ts';
import type { Condition } from '../../../server/conditions/condition.ts';
import { diskConditions } from '../../../server/conditions/disk.ts';
import { storedTransaction } from '../../../server/records/transaction.ts';
import { backupConditions } from '../../backup/conditions.ts';
import { transactionCondition } from '../../transactions/history.ts';
import type { FindingCode } from '../codes.ts';
import { type Finding, serverCheck, siteCheck, stageFix } from '../finding.ts';

/** The codes of conditions. Those without one are no faults of this server. */
const codes: Readonly<Partial<Record<Condition['topic'], FindingCode>>> = {
  access: 'ACCESS_DOWN',
  'backup check': 'BACKUP_TEST_FAILED',
  'backup key': 'BACKUP_KEY_UNCONFIRMED',
  'backup late': 'BACKUP_OLD',
  'backup run': 'BACKUP_OLD',
  'backup setup': 'BACKUP_MISSING',
  'backup test': 'BACKUP_TEST_FAILED',
  component: 'COMPONENT_DOWN',
  disk: 'DISK_LOW',
  docker: 'DOCKER_DOWN',
  engine: 'ENGINE_DOWN',
  'relay usage': 'RELAY_USAGE_UNUSABLE',
  'update stuck': 'UPDATE_STUCK',
};

/** Returns the findings of conditions. They have no fix. */
export function asFindings(conditions: readonly Condition[]): Finding[] {
  return conditions.flatMap(({ topic, subject = topic, what: text }) => {
    const code = codes[topic];
    return code ? [{ code, subject, text }] : [];
  });
}

/** Reports file systems that soon have no space for an update or for chats. */
export const diskSpaceCheck = serverCheck({ name: 'disk-space', root: false }, async (host) =>
  asFindings(await diskConditions(host)),
);

/** Reports backups that are not set up, whose password may be on this server alone, that failed, are old or not tested. */
export const backupCheck = siteCheck({ name: 'backup', root: true }, async ({ host, site }) =>
  asFindings(await backupConditions(host, site)),
);

/** Reports that the usage of relay keys cannot be read: the relay refuses keys with a budget. */
export const relayUsageCheck = siteCheck(
  { name: 'relay-usage', root: true },
  async ({ host, site }) => asFindings(await usageConditions(host, site)),
);

/** Reports that WireGuard does not run, through which alone devices reach the chat. */
export const accessCheck = siteCheck({ name: 'access', root: true }, async ({ host, site }) =>
  asFindings(
    (await accessConditions(host, site)).filter(({ severity }) => severity === 'broken'),
  ).map((each) => ({ ...each, fix: stageFix('stack') })),
);

/** Reports a rollback that has failed too often. */
export const stuckUpdateCheck = serverCheck({ name: 'update', root: true }, async (host) => {
  const open = await storedTransaction.read(host);
  if (open?.state !== 'stuck') return [];
  const details = open.reason ? [open.reason.message, ...open.reason.problems] : [];
  return asFindings([transactionCondition(open)]).map((each) => ({ ...each, details }));
});
