import { alertSecrets } from '#contract/site/alerts/secret-names.ts';
import { alerts as alertsSchema } from '#contract/site/alerts/targets.ts';
import { languages } from '#contract/text/language.ts';
import {
  describeResults,
  describeTargets,
  type TargetState,
  targetConditions,
} from '../../../appliance/server/alerts/describe-alerts.ts';
import { renderMessage, testMessage } from '../../../appliance/server/alerts/message.ts';
import { alertRequest } from '../../../appliance/server/alerts/requests.ts';
import { lineOf } from '../../../appliance/server/conditions/condition.ts';
import { failedAlert, workingAlert } from '../../appliance/server/alerts/fixture.ts';
import { forEachLanguage, json, type Section, sections, type Topic } from '../golden.ts';
import { siteOf } from '../sites.ts';

const notice = { ...failedAlert, state: 'notice' as const, subject: 'release 1.3.0 is available' };
const messages = {
  failed: [failedAlert],
  working: [workingAlert],
  notice: [notice],
  several: [failedAlert, workingAlert, notice, { ...failedAlert, subject: 'provider openai' }],
  many: Array.from({ length: 14 }, (_, index) => ({ ...failedAlert, subject: `subject ${index}` })),
  none: [],
};

/** One target of each kind besides mail. */
const targets = alertsSchema
  .parse(
    (['webhook', 'slack', 'discord', 'feishu', 'dingtalk', 'wecom', 'serverchan'] as const).map(
      (kind) => ({ kind }),
    ),
  )
  .concat(
    alertsSchema.parse([
      { kind: 'bark' },
      { kind: 'pushplus' },
      { kind: 'ntfy' },
      { kind: 'telegram', chat: '@channel' },
    ]),
  );

const states: readonly TargetState[] = [
  { target: 'slack', kind: 'slack', unsent: 0 },
  { target: 'phone', kind: 'ntfy', unsent: 0, waitsFor: 'alert-phone-url' },
  {
    ...{ target: 'smtp', kind: 'smtp', unsent: 2 },
    failure: {
      ...{ at: '2026-11-22T21:15:00.000Z', code: 'ALERT_FAILED' },
      message: 'smtp.example.com:465 rejected the login: status 535',
    },
  },
];

/** Alerts: the messages, the requests of each vendor, and the states of targets. */
export const alerts: Topic = async () =>
  new Map([
    ...languages.map((language): [string, string] => [
      `messages.${language}.txt`,
      sections(messagesIn({ language, timezone: 'Asia/Shanghai' })),
    ]),
    ['requests.json', sections(targets.flatMap(requestOf))],
    ...(await forEachLanguage('targets', () =>
      sections([
        ['landfall alert list', describeTargets(states)],
        ['landfall alert list, without targets', describeTargets([])],
        [
          'landfall status',
          targetConditions(states)
            .map((each) => lineOf(each))
            .join('\n'),
        ],
        ['landfall alert test', describeResults(results)],
      ]),
    )),
    ['targets.json', json({ targets: states })],
    ['results.json', json({ targets: results })],
    ['secrets.json', json(siteOf('everything').alerts.flatMap(alertSecrets))],
  ]);

const results: Parameters<typeof describeResults>[0] = [
  { target: 'slack', kind: 'slack', sent: true, via: 'route' },
  { target: 'phone', kind: 'ntfy', sent: true, via: 'direct' },
  {
    ...{ target: 'smtp', kind: 'smtp', sent: false },
    error: {
      ...{ code: 'ALERT_FAILED', message: 'smtp.example.com:465 rejected the login: status 535' },
      ...{ hint: 'Check `user` in the site.', retriable: false },
    },
  },
];

function messagesIn(readers: Parameters<typeof testMessage>[1]): Section[] {
  const rendered = Object.entries(messages).map(([name, list]): Section => {
    const { title, text } = renderMessage('vps-1', list, readers);
    return [name, `subject: ${title}\n\n${text}`];
  });
  return [...rendered, ['landfall alert test', testMessage('vps-1', readers).text]];
}

function requestOf(target: (typeof targets)[number]): Section[] {
  if (target.kind === 'smtp') return [];
  const secrets = {
    url: 'https://hooks.example.com/topic',
    ...{ token: '123456:the-token', sign: 'the-sign' },
  };
  const message = renderMessage('vps-1', [failedAlert]);
  const { url, ...request } = alertRequest(target, secrets, message, new Date());
  return [[target.kind, json({ url: url.href, ...request })]];
}
