import { statusFile } from '#contract/server-paths.ts';
import { inBoth, languages } from '#contract/text/language.ts';
import { allChecks } from '../../../appliance/operations/doctor/all-checks.ts';
import {
  causesOf,
  type FindingCode,
  findingCodes,
  remedyFor,
} from '../../../appliance/operations/doctor/codes.ts';
import { diagnose, diagnosisToJson } from '../../../appliance/operations/doctor/diagnosis.ts';
import {
  type Finding,
  hasStageFix,
  stageFix,
} from '../../../appliance/operations/doctor/finding.ts';
import { pages } from '../../../appliance/operations/doctor/pages.ts';
import { renderDiagnosis } from '../../../appliance/operations/doctor/render-diagnosis.ts';
import { runChecks } from '../../../appliance/operations/doctor/run-checks.ts';
import { stageNames } from '../../../appliance/server/stage/stage.ts';
import { stages } from '../../../appliance/stages/first-boot.ts';
import { contextFor } from '../../appliance/context.ts';
import { containers } from '../../appliance/operations/doctor/look.ts';
import { statusOf } from '../../appliance/server/progress/status-of.ts';
import { type Condition, conditions, serverWith, steady } from '../conditions.ts';
import { forEachLanguage, json, type Section, sections, type Topic } from '../golden.ts';
import { marked } from '../printed.ts';

const finding = (code: FindingCode, more: Partial<Finding> = {}): Finding => {
  return { code, subject: 'example', text: inBoth(`the text of ${code}`), ...more };
};

/** Docker is down, which explains others; one check did not run. */
const diagnosis = diagnose(
  [
    { name: 'docker', findings: [finding('DOCKER_DOWN', { fix: stageFix('runtime') })] },
    { name: 'gateway', findings: [finding('GATEWAY_DOWN'), finding('COMPONENT_DOWN')] },
    {
      name: 'names',
      findings: [
        finding('DNS_RECORD_MISSING', {
          record: { name: 'chat.example.com', type: 'A', value: '203.0.113.5' },
          details: Array.from({ length: 10 }, (_, index) => `detail ${index}`),
        }),
      ],
    },
    { name: 'packages', findings: [], skipped: inBoth('must be run as root') },
  ],
  [finding('SITE_INVALID')],
);
const healthy = diagnose([{ name: 'docker', findings: [] }], []);

/** Checks that look at files and programs only, not at the network. */
const localChecks = new Set([
  ...['first-boot', 'unconfirmed', 'update', 'ban', 'disk-space', 'packages', 'services'],
  ...['components', 'memory', 'container-host-name', 'container-proxy', 'chat-model'],
  ...['relay-usage', 'backup', 'release'],
]);

/** A container that runs. */
const engine = { name: 'landfall-engine', pid: 42 };
/** Faults that only the doctor looks for. */
const faults: Readonly<Record<string, Condition>> = {
  'container: out of memory': { answers: containers({ ...engine, running: false, oom: true }) },
  'container: host name': {
    answers: containers({ ...engine, name: 'n8n', env: ['URL=http://host.docker.internal:11434'] }),
  },
  'container: no proxy': {
    site: { route: { mode: 'http-proxy', url: 'http://192.0.2.9:3128' } },
    answers: containers(engine),
    files: { 'proc/42/environ': 'PATH=/bin\0' },
  },
  'packages: half installed': {
    answers: { 'dpkg --audit': 'half configured:\n man-db  the manual\n' },
  },
  'service: failed': {
    answers: { 'systemctl list-units': 'docker.service loaded failed failed Docker\n' },
  },
  'fail2ban: down': { answers: { 'systemctl is-active': 3 } },
  'fail2ban: no answer': { answers: { 'fail2ban-client ping': 1 } },
  'relay: usage not counted': {
    site: { relay: { local: true, keys: [{ name: 'alice', tokens_per_day: 1000 }] } },
  },
  'first boot: unfinished': {
    files: { [statusFile]: JSON.stringify(statusOf('images', 'failed')) },
  },
};

/** The doctor: its checks, every finding with its remedy, its fixes and symptoms. */
export const doctor: Topic = async () =>
  new Map([
    [
      'checks.json',
      json(allChecks(stages).map(({ name, root, needs }) => ({ name, root, needs }))),
    ],
    ['diagnosis.json', json(diagnosisToJson(diagnosis))],
    ...(await forEachLanguage('diagnosis', () =>
      sections([
        ['findings', renderDiagnosis(diagnosis, marked)],
        ['healthy', renderDiagnosis(healthy, marked)],
      ]),
    )),
    ...(await forEachLanguage('findings', () =>
      sections(findingCodes.map((code) => [code, renderDiagnosis(diagnose([], [finding(code)]))])),
    )),
    ...(await forEachLanguage('faults', faultsText)),
    ['remedies.json', json(remedies())],
    ['symptoms.json', json(Object.fromEntries(languages.map((one) => [one, pages[one].symptoms])))],
  ]);

function remedies(): object {
  return {
    remedies: Object.fromEntries(
      languages.map((language) => [
        language,
        Object.fromEntries(
          findingCodes.map((code) => [code, remedyFor(code, 'example', language)]),
        ),
      ]),
    ),
    causes: Object.fromEntries(findingCodes.map((code) => [code, causesOf(code)])),
    fixes: Object.fromEntries(
      stageNames.filter(hasStageFix).map((name) => [name, stageFix(name).does]),
    ),
  };
}

/** What local checks find on servers with faults, and for a release that expired. */
async function faultsText(): Promise<string> {
  const healthyText = await faultText({});
  const texts: Section[] = [['healthy', healthyText]];
  for (const [name, condition] of Object.entries({ ...conditions, ...faults })) {
    const text = await faultText(condition);
    if (text !== healthyText) texts.push([name, text]);
  }
  texts.push(['release: expired', await faultText({}, '2026-11-01T00:00:00Z')]);
  return sections(texts);
}

async function faultText(condition: Condition, expires = '2099-01-01T00:00:00Z') {
  const given = { 'docker ps --all --quiet': '', ...condition.answers };
  const host = serverWith({ ...condition, answers: given });
  const { site = {} } = condition;
  const context = contextFor(host, { site, release: { expires } });
  const checks = allChecks(stages).filter(({ name }) => localChecks.has(name));
  const results = await runChecks(checks, { host, isRoot: true, context }, 600);
  return steady(renderDiagnosis(diagnose(results, [])));
}
