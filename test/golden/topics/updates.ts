import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { watchedRows } from '../../../appliance/commands/status.ts';
import { noChannels } from '../../../appliance/commands/update/command.ts';
import { chooseWayBack } from '../../../appliance/commands/update/install.ts';
import { givenUp, interrupted, reasonOf } from '../../../appliance/operations/driver/apply.ts';
import { describeHistory } from '../../../appliance/operations/transactions/describe-history.ts';
import { progressRows } from '../../../appliance/operations/transactions/describe-progress.ts';
import type { EndedUpdate } from '../../../appliance/operations/transactions/history.ts';
import { kinds } from '../../../appliance/operations/transactions/kinds.ts';
import { hasWork } from '../../../appliance/operations/transactions/phases.ts';
import { updateConditions } from '../../../appliance/operations/update/conditions.ts';
import { describeBundle } from '../../../appliance/operations/update/download/named-bundle.ts';
import {
  describeUpdate,
  type ReleaseChanges,
  type UpdateState,
} from '../../../appliance/operations/update/last-check.ts';
import { shortageOf } from '../../../appliance/server/chats/data-size.ts';
import {
  type Transaction,
  transactionStates,
} from '../../../appliance/server/records/transaction.ts';
import { warningsOf } from '../../../appliance/stages/report/warnings.ts';
import { forEachLanguage, json, type Section, sections, type Topic } from '../golden.ts';
import { printed } from '../printed.ts';
import { keys, release } from '../sites.ts';

const at = '2026-11-28T07:10:00.000Z';
const manifest = 'a'.repeat(64);
const changes: ReleaseChanges = {
  bytes: 812e6,
  unsized: 2,
  disk: 2e9,
  components: ['ui', 'relay'],
};

export const offer: Extract<UpdateState['offer'], { kind: 'update' }> = {
  ...{ kind: 'update', version: '1.3.0', created: at, security: 'critical', newest: '1.4.0' },
  ...{ notes: 'Fixes a problem.\n\n- And another.', manifest, size: 3e9, part: null, urls: [] },
  ...{ changes, pause: 94_000 },
};

/** The state after a check that found an update. */
export const found: UpdateState = {
  ...{ schema: 1, at, installed: '1.2.0', offer, withdrawn: null, failures: [], announced: [] },
  channel: {
    ...{ name: 'stable', serial: 12, created: at, expires: '2027-02-28T00:00:00.000Z' },
    ...{
      key: keys.release[0]?.id ?? '',
      trust: 1,
      mirror: 'https://downloads.example.com/stable/',
    },
  },
};

const states: Readonly<Record<string, UpdateState>> = {
  update: found,
  'an update of unknown size': {
    ...found,
    offer: { ...offer, changes: null, pause: null, security: 'none', newest: '1.3.0' },
  },
  'a moderate update': {
    ...found,
    offer: { ...offer, security: 'moderate', changes: { ...changes, unsized: 0, components: [] } },
  },
  'up to date': { ...found, offer: { kind: 'up-to-date' } },
  unreachable: { ...found, offer: { kind: 'unreachable', newest: '2.0.0', updatesFrom: '1.9.0' } },
  withdrawn: { ...found, offer: { kind: 'up-to-date' }, withdrawn: 'it loses chats' },
  'expired channel': {
    ...found,
    channel: found.channel && { ...found.channel, expires: '2026-01-01T00:00:00.000Z' },
  },
  'channel of the future': {
    ...found,
    channel: found.channel && { ...found.channel, created: '2027-01-01T00:00:00.000Z' },
  },
  'no channel': {
    ...{ ...found, channel: null, offer: null },
    failures: [
      {
        mirror: 'https://a.example/',
        code: 'NETWORK_UNREACHABLE',
        message: 'a.example is unreachable',
      },
      {
        mirror: 'https://b.example/',
        code: 'TRUST_REFUSED',
        message: 'the keys are those of others',
      },
    ],
  },
};

/** A transaction in a state. */
export function transaction(change: Partial<Transaction> = {}): Transaction {
  return {
    ...{ schema: 1, id: '00000000-0000-4000-8000-000000000001', kind: 'update' },
    ...{ from: '1.2.0', to: '1.3.0', manifest, state: 'verifying', began: at, since: at },
    ...{ attempt: 1, source: { urls: [], part: null }, unattended: false, pass: null },
    plan: {
      ...{ changed: ['ui'], stages: null, closes: true, limit: 900 },
      ...{ keepsPrevious: true, confirms: false },
    },
    ...{ restoreFrom: null, closedAt: null, copied: false, restored: false, reason: null },
    ...change,
  };
}

const reason = { code: 'STACK_UNHEALTHY', message: 'the chat UI did not start', problems: ['ui'] };

const ended: EndedUpdate = {
  ...{ at, id: 'one', kind: 'update', from: '1.1.0', to: '1.2.0', manifest, took: 65_000 },
  ...{ outcome: 'committed', closed: 30_000, keepsPrevious: true, reason: null },
};

/** Everything that can end. */
export const history: readonly EndedUpdate[] = [
  ended,
  { ...ended, to: '1.3.0', outcome: 'rolled-back', reason },
  { ...ended, kind: 'rollback', from: '1.2.0', to: '1.1.0' },
  { ...ended, kind: 'restore', to: '1.1.0', closed: null },
  { ...ended, kind: 'restore', outcome: 'rolled-back', reason },
  { ...ended, kind: 'site', to: '1.1.0' },
  { ...ended, kind: 'site', outcome: 'rolled-back', reason: { ...reason, code: 'UNCONFIRMED' } },
  { ...ended, reason },
];

const kindNames = ['update', 'rollback', 'restore', 'site'] as const;

/** Updates: what a check found, the progress and the words of each kind of transaction, the history. */
export const updates: Topic = async () =>
  new Map([
    ...(await forEachLanguage('check', () => sections(Object.entries(states).flatMap(checkText)))),
    ['check.json', json({ ...found, transaction: transaction(), last: ended })],
    ...(await forEachLanguage('history', () =>
      sections([
        ['landfall update history', describeHistory(history)],
        ['landfall update history, before the first', describeHistory([])],
      ]),
    )),
    ['history.json', json(history)],
    ...(await forEachLanguage('progress', () => sections(kindNames.flatMap(progressText)))),
    ...(await forEachLanguage('words', () => sections(kindNames.flatMap(wordsText)))),
    ...(await forEachLanguage('bundle', bundleText)),
    ...(await forEachLanguage('way-back', wayBackText)),
    ['reasons.json', json(reasons())],
  ]);

function checkText([name, state]: [string, UpdateState]): Section[] {
  return [
    [
      `landfall update check: ${name}`,
      describeUpdate(state, progressRows(undefined, undefined), new Date(at)),
    ],
    [
      `landfall status: ${name}`,
      watchedRows({ update: state })
        .map(({ text }) => text)
        .join('\n'),
    ],
    [`warnings: ${name}`, json(warningsOf(updateConditions(state)))],
    [
      `announcements: ${name}`,
      json(
        updateConditions(state).map(({ subject: id, what }) => ({ id, text: inLanguage(what) })),
      ),
    ],
  ];
}

function progressText(kind: Transaction['kind']): Section[] {
  const last = history.find((each) => each.kind === kind && each.outcome === 'rolled-back');
  const shown = transactionStates.map((state): Section => {
    const open = transaction({ kind, state, reason: state === 'stuck' ? reason : null });
    return [`${kind}, ${state}`, formatTable(progressRows(open, undefined))];
  });
  const stuck = transaction({ kind, state: 'stuck', pass: 'b'.repeat(32), reason });
  return [
    ...shown,
    [`${kind}, stuck and closed`, formatTable(progressRows(stuck, undefined))],
    ...(last
      ? [[`${kind}, rolled back`, formatTable(progressRows(undefined, last))] as const]
      : []),
  ];
}

function wordsText(kind: Transaction['kind']): Section[] {
  const textOf = (open: Transaction) => {
    const {
      states: words,
      goesOn,
      done,
      failed,
      now,
    } = kinds[kind].words(open, hasWork('verify', open));
    return [
      ...transactionStates.map((state) => {
        const text = words[state];
        return `${state}: ${text ? inLanguage(text) : '(nothing)'}`;
      }),
      `goes on: ${inLanguage(goesOn)}`,
      `done: ${inLanguage(done)}`,
      `failed: ${inLanguage(failed)}`,
      `now: ${inLanguage(now)}`,
    ].join('\n');
  };
  const { plan } = transaction();
  const without = transaction({ kind, plan: plan && { ...plan, keepsPrevious: false } });
  return [
    [kind, textOf(transaction({ kind }))],
    [`${kind}, without a way back`, textOf(without)],
  ];
}

function bundleText(): string {
  const [signer] = keys.release;
  if (!signer) throw new Error('there is no key');
  return describeBundle(
    {
      release: { ...release, version: '1.3.0' },
      changes,
      name: './landfall.tar',
      signer,
    } as Parameters<typeof describeBundle>[0],
    '1.2.0',
  );
}

async function wayBackText(): Promise<string> {
  const shortage = shortageOf({ size: 9e9, free: 2e9 }, 1e9);
  const versions = { from: '1.2.0', to: '1.3.0' };
  return sections([
    ['no channel', inLanguage(noChannels)],
    ['no space', await printed(() => chooseWayBack(shortage, {}, versions))],
    [
      'given up',
      await printed(() => chooseWayBack(shortage, { withoutRollback: true, yes: true }, versions)),
    ],
  ]);
}

function reasons(): object {
  const error = new LandfallError('STACK_UNHEALTHY', 'the chat UI did not start', {
    problems: [{ message: 'ui is exited' }],
  });
  return {
    failure: reasonOf(error),
    interrupted: interrupted(transaction({ attempt: 4 })),
    stuck: givenUp(transaction({ reason, restored: true }), error),
    'stuck and closed': givenUp(transaction({ pass: 'b'.repeat(32) }), error),
  };
}
