import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { clients } from '#clients/clients.ts';
import {
  secretsFolder,
  siteFile,
  siteTextFile,
  updateHistoryFile,
} from '#contract/server-paths.ts';
import { describeCredentials } from '../../../appliance/commands/credentials.ts';
import { interruptionOf } from '../../../appliance/commands/daily/interruptions.ts';
import { showClient } from '../../../appliance/commands/relay/client.ts';
import { showUsage } from '../../../appliance/commands/relay/usage.ts';
import {
  describeBackup,
  describeLeftOut,
} from '../../../appliance/commands/restore/describe-backup.ts';
import { describeRoute, shownRoute } from '../../../appliance/commands/route/show.ts';
import { showSecrets } from '../../../appliance/commands/secret/list.ts';
import { showFields } from '../../../appliance/commands/site/fields.ts';
import { showHistory } from '../../../appliance/commands/site/history.ts';
import { showSite } from '../../../appliance/commands/site/show.ts';
import { describeUsers } from '../../../appliance/commands/ui/users.ts';
import { describeChecked } from '../../../appliance/stages/route/check/describe.ts';
import { stackCredentials } from '../../../appliance/stages/secrets/secret-values.ts';
import { contextFor } from '../../appliance/context.ts';
import { usageFiles } from '../../appliance/relay/report/stored-usage-files.ts';
import { now } from '../conditions.ts';
import { forEachLanguage, json, type Section, sections, type Topic } from '../golden.ts';
import { printed } from '../printed.ts';
import { anyServer } from '../server-folder.ts';
import { fieldsOf, release, siteOf } from '../sites.ts';
import { history } from './updates.ts';

/** What commands of the server print: as text in each language, and with --json. */
export const serverCommands: Topic = async () =>
  new Map([
    ...(await forEachLanguage('people', () => sections(peopleTexts()))),
    ...(await forEachLanguage('secrets', secretsText)),
    ['credentials.json', json(await credentialsOf())],
    ...(await forEachLanguage('relay-usage', relayUsageText)),
    ...(await forEachLanguage('relay-client', relayClientText)),
    ...(await forEachLanguage('route', routeText)),
    ...(await forEachLanguage('site', siteText)),
    ...(await forEachLanguage('backup', backupText)),
    ...(await forEachLanguage('interruptions', interruptionsText)),
  ]);

function peopleTexts(): Section[] {
  const account = { id: '1', stamp: null, lastActive: 1_764_000_000 };
  const accounts = [
    { ...account, email: 'admin@example.com', name: 'Admin', role: 'admin' },
    { ...account, email: 'anna@example.com', name: 'Anna', role: 'user', lastActive: null },
    { ...account, email: 'new@example.com', name: 'New', role: 'pending' },
    { ...account, email: 'other@example.com', name: 'Other', role: 'other' },
  ];
  return [
    ['landfall ui users', describeUsers(accounts)],
    ['landfall ui users, without accounts', describeUsers([])],
  ];
}

/** Returns a server of the site with every field, with all its secrets. */
function serverWithSecrets() {
  const site = siteOf('everything');
  const names = ['console-password', 'RELAY_KEY_OWNER', 'RELAY_KEY_PHONE', 'OPENAI_API_KEY']
    .concat(['WEBUI_ADMIN_PASSWORD', 'TINYPROXY_PASSWORD', 'SOCKS_PASSWORD', 'CHAT_ACCESS_CODE'])
    .concat(['RELAY_KEY_UI', 'alert-slack-url']);
  const files = Object.fromEntries(
    names.map((name) => [join(secretsFolder, name), `value-of-${name}\n`]),
  );
  const host = anyServer({ files });
  for (const [index, name] of names.entries()) {
    const time = new Date(now.getTime() - 60_000 * 7 ** index);
    utimesSync(host.path(secretsFolder, name), time, time);
  }
  return { host, site };
}

async function secretsText(): Promise<string> {
  const server = serverWithSecrets();
  return sections([
    ['landfall secret list', await printed(() => showSecrets(server))],
    ['landfall secret list --json', await printed(() => showSecrets(server, true))],
    ['landfall credentials', describeCredentials(await credentialsOf())],
    ['landfall credentials, before the first', describeCredentials([])],
  ]);
}

async function credentialsOf() {
  const { host, site } = serverWithSecrets();
  const note = 'No longer valid: it was changed on the server with passwd.';
  const title = 'Console of the server, user admin';
  return [
    { title, name: 'console-password', value: 'value-of-console-password', note },
    ...(await stackCredentials(host, site)),
  ];
}

async function relayUsageText(): Promise<string> {
  const keys = [{ name: 'intern', tokens_per_day: 1000, requests_per_day: 9 }];
  const files = usageFiles({ intern: 900, gone: 0, 'ui/0123456789abcdef': 5 }, { intern: 3 });
  const owner = process.getuid?.() ?? 0;
  const run = async (flags: object, relay: object, used: Readonly<Record<string, string>>) => {
    const host = anyServer({ files: used, answers: { 'docker volume inspect': 1 } });
    const facts = contextFor(host, { site: { ...fieldsOf('hosted'), relay } });
    return await printed(() => showUsage(facts, { since: 2, ...flags }, owner));
  };
  return sections([
    ['landfall relay usage', await run({}, { keys }, files)],
    ['landfall relay usage --json', await run({ json: true }, { keys }, files)],
    ['landfall relay usage --csv', await run({ csv: true }, { keys }, files)],
    ['landfall relay usage, unknown key', await run({ key: 'x' }, { keys }, files)],
    ['landfall relay usage, without budgets', await run({}, {}, {})],
    ['landfall relay usage, damaged', await run({}, { keys }, {})],
  ]);
}

/** The settings of every client, of a site with hosted models, and what the command refuses. */
async function relayClientText(): Promise<string> {
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  const files = { [join(secretsFolder, 'RELAY_KEY_OWNER')]: 'value-of-key\n' };
  const run = async (name: string | undefined, flags: object = {}, fields: object = {}) => {
    const site = { ...fieldsOf('hosted'), ...fields };
    const facts = contextFor(anyServer({ files }), { site, release });
    return await printed(() => showClient(facts, name, { key: 'owner', ...flags }));
  };
  try {
    const shown: Section[] = [];
    for (const { id } of clients) shown.push([`landfall relay client ${id}`, await run(id)]);
    return sections([
      ['landfall relay client', await run(undefined)],
      ...shown,
      ['landfall relay client codex --json', await run('codex', { json: true })],
      ['landfall relay client nextchat --qr', await run('nextchat', { qr: true })],
      ['landfall relay client codx', await run('codx')],
      ['landfall relay client codex --qr', await run('codex', { qr: true })],
      ['landfall relay client codex, without a relay', await run('codex', {}, { providers: {} })],
    ]);
  } finally {
    process.stdout.isTTY = isTTY;
  }
}

async function routeText(): Promise<string> {
  const found: Section[] = [];
  for (const name of ['smallest', 'everything', 'chinese'] as const) {
    const answers = { 'getent group sudo': 'sudo:x:27:\n', 'dpkg-query': 1 };
    const host = anyServer({ files: { 'etc/resolv.conf': 'nameserver 127.0.0.53\n' }, answers });
    const shown = await shownRoute(contextFor(host, { site: fieldsOf(name), release }));
    found.push([`landfall route show: ${name}`, describeRoute(shown)]);
    found.push([`landfall route show --json: ${name}`, json(shown)]);
  }
  const shown = {
    mode: 'client',
    proxy: 'http://127.0.0.1:7890',
    noProxy: '',
    missing: [],
  } as const;
  const client = { node: 'a', since: '2026-11-29T11:00:00.000Z', verdict: 'b: timed out' };
  for (const state of [
    'waiting',
    'candidate',
    'probing',
    'provisional',
    'active',
    'failed',
  ] as const) {
    for (const capture of ['off', 'provisional', 'active', 'paused', 'broken'] as const) {
      const one = { ...shown, state: 'on' as const, capture, client: { ...client, state } };
      if (state === 'active' || capture === 'off')
        found.push([`client: ${state}, capture: ${capture}`, describeRoute(one)]);
    }
  }
  const warning = { kind: 'route', subject: 'x', text: 'x' } as const;
  const checked = [
    {
      subject: 'images of docker.io',
      title: { en: 'images of docker.io', zh: 'docker.io 的镜像' },
    },
    { subject: 'provider openai', failure: 'timed out', code: 'NETWORK_TIMEOUT' as const },
  ].map((each) => ({ failure: undefined, warning, ...each }));
  found.push(['landfall route test', describeChecked(checked)]);
  found.push(['landfall route test, nothing', describeChecked([])]);
  return sections(found);
}

async function siteText(): Promise<string> {
  const files = { [siteFile]: JSON.stringify(fieldsOf('everything')) };
  const edited = {
    ...files,
    [siteTextFile]: 'release: push\nadmin: { ssh_keys: [ssh-ed25519 AAAA] }\n',
  };
  const show = (field?: string, asJson = false, given: Readonly<Record<string, string>> = files) =>
    printed(() => showSite(anyServer({ files: given }), field, asJson));
  const ended = {
    [updateHistoryFile]: history.map((each) => `${JSON.stringify(each)}\n`).join(''),
  };
  const historyOf = (given: Readonly<Record<string, string>>) => {
    const host = anyServer({ files: given });
    return printed(() => showHistory({ host, site: siteOf('smallest') }));
  };
  return sections([
    ['landfall site show, edited', await show(undefined, false, edited)],
    ['landfall site show --json', await show(undefined, true)],
    ['landfall site show hosts', await show('hosts')],
    ['landfall site show hosts.ui', await show('hosts.ui')],
    ['landfall site show alerts[0] --json', await show('alerts[0]', true)],
    ['landfall site show host', await show('host')],
    ['landfall site fields', await printed(() => showFields(undefined))],
    ['landfall site fields tls', await printed(() => showFields('tls'))],
    ['landfall site fields tls --json', await printed(() => showFields('tls', true))],
    ['landfall site history', await historyOf(ended)],
    ['landfall site history, none', await historyOf({})],
  ]);
}

function backupText(): string {
  const chosen = {
    restic: { name: '/mnt/backup' },
    snapshot: { id: 'abcdef01', at: '2026-11-28T03:10:00.000Z', hostname: 'box', release: '1.2.0' },
    manifest: { users: 3, chats: null, release: { version: '1.2.0' } },
    size: 5e9,
  } as unknown as Parameters<typeof describeBackup>[0];
  return sections([
    ['landfall restore', describeBackup(chosen)],
    ['left out', describeLeftOut(['etc/passwd', 'a\u001b[2Jb']).join('\n')],
  ]);
}

function interruptionsText(): string {
  const names = [undefined, 'engine', 'ui', 'chat', 'lobe', 'relay', 'gateway', 'tinyproxy'].concat(
    ['acme', 'balancer', 'notes'],
  );
  return names
    .flatMap((name) => [interruptionOf(name, 'seconds'), interruptionOf(name, 'stopped')])
    .join('\n');
}
