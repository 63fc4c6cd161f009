import { alertSecrets } from '#contract/site/alerts/secret-names.ts';
import { targetText } from '#contract/site/backup/targets.ts';
import { hostNames } from '#contract/site/enabled.ts';
import { hasPublicHttp } from '#contract/site/network/public-ports.ts';
import { relayClients } from '#contract/site/relay/relay-settings.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { alignRows } from '#contract/text/table.ts';
import type { Host } from '../../server/host/host.ts';
import { readSecret } from '../../server/host/secret-file.ts';
import { missingKeysOf } from '../../stages/report/missing-keys.ts';
import { type NextCommand, setKey, setUpBackups } from '../../stages/report/next-steps.ts';

type Row = readonly [command: string, does: string];

const say = (en: string, zh: string) => inLanguage({ en, zh });

/**
 * Returns the block of what an administrator does after a change of the site; undefined if there is nothing to do.
 * @param before the site before the change
 */
export async function nextAfter(host: Host, before: Site, site: Site): Promise<string | undefined> {
  const rows = [
    ...(await missingKeysOf(host, site)).map(setKey).map(rowOf),
    ...(await alertRows(host, site)),
    ...backupRows(before, site),
    ...relayRows(before, site),
    ...certificateRows(before, site),
  ];
  if (rows.length === 0) return undefined;
  const lines = alignRows(rows.map(([command, does]) => [`  ${command}`, does]));
  return [say('Next:', '下一步：'), ...lines].join('\n');
}

function rowOf({ command, does }: NextCommand): Row {
  return [command, inLanguage(does)];
}

async function alertRows(host: Host, { alerts }: Site): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, required, part } of alerts.flatMap(alertSecrets)) {
    if (!required || (await readSecret(host, name)) !== undefined) continue;
    rows.push([
      `sudo landfall secret set ${name}`,
      say(`set the ${part} of the alerts`, `设置告警的 ${part}`),
    ]);
  }
  return rows;
}

function backupRows(before: Site, { backup }: Site): Row[] {
  const known = (before.backup?.to ?? []).map(targetText);
  const isNew = (backup?.to ?? []).map(targetText).some((name) => !known.includes(name));
  return isNew ? [rowOf(setUpBackups)] : [];
}

function relayRows(before: Site, site: Site): Row[] {
  const known = relayClients(before);
  const added = relayClients(site).filter((name) => !known.includes(name));
  if (added.length === 0) return [];
  const names = added.join(', ');
  const [first = ''] = added;
  return [
    ['sudo landfall credentials', say(`the relay key of ${names}`, `${names} 的中继密钥`)],
    [
      `sudo landfall relay client <client> --key ${first}`,
      say('what to paste into a client, such as codex', '显示客户端（例如 codex）的配置'),
    ],
  ];
}

/** Modes whose certificates browsers do not trust. */
const untrusted: readonly Site['tls']['mode'][] = ['internal', 'acme-staging'];

function certificateRows(before: Site, { hosts, tls, admin, access }: Site): Row[] {
  const known = hostNames(before);
  const added = hostNames({ hosts }).filter((name) => !known.includes(name));
  if (added.length === 0) return [];
  const records: Row = [
    'landfall report',
    say(`the DNS records of ${added.join(', ')}`, `${added.join('、')} 的 DNS 记录`),
  ];
  // The authority validates names on port 80.
  const isOpen = hasPublicHttp({ hosts, access });
  if (!untrusted.includes(tls.mode) || !isOpen) return [records];
  const email = admin.email === undefined ? ' admin.email <address>' : '';
  return [
    records,
    [
      `sudo landfall site set tls.mode acme tls.accept_terms true${email}`,
      say("a certificate of Let's Encrypt", "Let's Encrypt 证书"),
    ],
  ];
}
